import Synchronization

/// A check of one dependency. A dependency that does not answer within a second counts as down. A call to a hanging disk does not return,
/// so calls made while one is running share its answer, and `/readyz` does not hang with it.
final class ReadinessCheck: Sendable {
    private struct Waiting {
        var isRunning = false
        var next = 0
        var answers: [Int: AsyncStream<Bool>.Continuation] = [:]
    }

    private let ask: @Sendable () async -> Bool
    private let waiting = Mutex(Waiting())

    init(_ ask: @escaping @Sendable () async -> Bool) { self.ask = ask }

    func passes(within limit: Duration = .seconds(1)) async -> Bool {
        let (answers, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
        let (number, isFirst) = waiting.withLock { waiting in
            defer {
                waiting.next += 1
                waiting.isRunning = true
            }
            waiting.answers[waiting.next] = continuation
            return (waiting.next, !waiting.isRunning)
        }
        defer { waiting.withLock { _ = $0.answers.removeValue(forKey: number) } }
        // Unstructured: a thread that waits for a disk cannot be cancelled, and no request may wait for it.
        if isFirst { Task { finish(await ask()) } }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.yield(false)
        }
        defer { timer.cancel() }
        for await answer in answers { return answer }
        return false
    }

    private func finish(_ answer: Bool) {
        let continuations = waiting.withLock { waiting in
            defer {
                waiting.answers = [:]
                waiting.isRunning = false
            }
            return waiting.answers
        }
        for continuation in continuations.values { continuation.yield(answer) }
    }
}
