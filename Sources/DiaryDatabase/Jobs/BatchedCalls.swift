import PostgresClient
import Synchronization

/// Sends calls in batches: those that come while a batch is under way go with the next, never two at a time, as the calls of one account would
/// wait for each other. A call that comes alone is not sent.
final class BatchedCalls<Call: Sendable, Answer: Sendable>: Sendable {
    /// Answers calls in their order; nil for one that must be made by itself.
    typealias Send = @Sendable ([Call]) async throws(DatabaseError) -> [Answer?]

    private typealias Waiter = CheckedContinuation<Result<Answer?, DatabaseError>, Never>

    private struct State {
        var waiting: [(call: Call, waiter: Waiter)] = []
        var isSending = false
        /// When the batch that is under way was sent.
        var sentAt: ContinuousClock.Instant?
    }

    private enum Turn {
        case first, later, alone
    }

    private static var mostCalls: Int { 64 }

    private let patience: Duration
    private let send: Send
    private let state = Mutex(State())

    /// - Parameter patience: while a batch is under way for longer, no call waits for it: its connection may have gone silent.
    init(patience: Duration = .seconds(1), send: @escaping Send) {
        self.patience = patience
        self.send = send
    }

    /// - Returns: nil when the call must be made by itself.
    /// - Throws: when the outcome is unknown, or the database cannot be asked now.
    func answer(_ call: Call) async throws(DatabaseError) -> Answer? {
        let result: Result<Answer?, DatabaseError> = await withCheckedContinuation { waiter in
            switch state.withLock({ enter(call, waiter, &$0) }) {
            // Detached: the cancellation of this task must not stop the others' calls. It runs after the tasks that are ready now, and takes their
            // calls along.
            case .first: Task.detached { await self.sendAll() }
            case .later: break
            case .alone: waiter.resume(returning: .success(nil))
            }
        }
        return try result.get()
    }

    private func enter(_ call: Call, _ waiter: Waiter, _ state: inout State) -> Turn {
        if let sentAt = state.sentAt, sentAt + patience < .now { return .alone }
        state.waiting.append((call, waiter))
        defer { state.isSending = true }
        return state.isSending ? .later : .first
    }

    private func sendAll() async {
        while let batch = next() {
            let result = batch.count > 1 ? await answers(batch.map(\.call)) : .success([])
            for (place, one) in batch.enumerated() {
                one.waiter.resume(returning: result.map { place < $0.count ? $0[place] : nil })
            }
        }
    }

    private func answers(_ calls: [Call]) async -> Result<[Answer?], DatabaseError> {
        do {
            return .success(try await send(calls))
        } catch {
            // One call's fault is not the others': each is made by itself.
            return error.wroteNothing ? .success([]) : .failure(error)
        }
    }

    private func next() -> [(call: Call, waiter: Waiter)]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isSending = false
                state.sentAt = nil
                return nil
            }
            state.sentAt = .now
            let batch = Array(state.waiting.prefix(Self.mostCalls))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }
}

extension DatabaseError {
    /// The server answered with an error before the commit, or nothing was sent.
    fileprivate var wroteNothing: Bool { !outcomeUnknown && (sqlstate != nil || kind == .encoding) }
}
