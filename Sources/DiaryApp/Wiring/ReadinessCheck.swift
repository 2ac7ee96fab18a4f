import Synchronization

/// A question to something the service stands on, answered within a second: what takes longer is down. A hanging disk keeps the call that asks it
/// and would keep `/readyz` with it, so whoever asks while a question waits shares its answer.
final class ReadinessCheck: Sendable {
    private struct Waiting {
        var isAsking = false
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
                waiting.isAsking = true
            }
            waiting.answers[waiting.next] = continuation
            return (waiting.next, !waiting.isAsking)
        }
        defer { waiting.withLock { _ = $0.answers.removeValue(forKey: number) } }
        // Unstructured: a thread that waits for a disk cannot be cancelled, and nobody may wait for it.
        if isFirst { Task { tell(await ask()) } }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.yield(false)
        }
        defer { timer.cancel() }
        for await answer in answers { return answer }
        return false
    }

    private func tell(_ answer: Bool) {
        let asked = waiting.withLock { waiting in
            defer {
                waiting.answers = [:]
                waiting.isAsking = false
            }
            return waiting.answers
        }
        for continuation in asked.values { continuation.yield(answer) }
    }
}
