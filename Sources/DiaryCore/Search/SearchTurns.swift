import Synchronization

/// Lets searches begin in their order: one at a time for an account, and a few at a time in the process, which bounds their memory and their
/// share of its processors. A page takes some quarter of a second at most, so that turns come soon.
final class SearchTurns: Sendable {
    /// In the process.
    static let most = 2
    /// Of one account, beside the one that runs: a client may search with each letter that is typed.
    static let mostWaiting = 3
    /// Of all accounts.
    static let mostWaitingOfAll = 64

    private struct Waiting {
        let owner: Owner
        /// Resumed with nil to begin.
        let turn: CheckedContinuation<DiaryError?, Never>
    }

    private struct State {
        var running: Set<Owner> = []
        var waiting: [Waiting] = []

        /// Takes the next that may begin.
        mutating func next() -> Waiting? {
            guard running.count < SearchTurns.most, let place = waiting.firstIndex(where: { !running.contains($0.owner) }) else {
                return nil
            }
            let next = waiting.remove(at: place)
            running.insert(next.owner)
            return next
        }

        /// nil when another may wait.
        func refusal(of owner: Owner) -> DiaryError? {
            if waiting.count(where: { $0.owner == owner }) >= SearchTurns.mostWaiting {
                return DiaryError(.rateLimited, retryAfter: 1, cause: "searches of one account")
            }
            return waiting.count < SearchTurns.mostWaitingOfAll
                ? nil : DiaryError(.overloaded, retryAfter: 1, cause: "\(waiting.count) searches wait")
        }
    }

    private let state = Mutex(State())

    /// - Throws: `rateLimited` and `overloaded` when too many wait.
    func run<Value: Sendable>(of owner: Owner, _ search: () async throws(DiaryError) -> Value) async throws(DiaryError) -> Value {
        let refusal = await withCheckedContinuation { (turn: CheckedContinuation<DiaryError?, Never>) in queue(owner, turn) }
        if let refusal { throw refusal }
        defer { end(of: owner) }
        return try await search()
    }

    private func queue(_ owner: Owner, _ turn: CheckedContinuation<DiaryError?, Never>) {
        let (refusal, next) = state.withLock { state -> (DiaryError?, Waiting?) in
            if let refusal = state.refusal(of: owner) { return (refusal, nil) }
            state.waiting.append(Waiting(owner: owner, turn: turn))
            return (nil, state.next())
        }
        if let refusal { turn.resume(returning: refusal) }
        next?.turn.resume(returning: nil)
    }

    private func end(of owner: Owner) {
        let next = state.withLock { state -> Waiting? in
            state.running.remove(owner)
            return state.next()
        }
        next?.turn.resume(returning: nil)
    }
}
