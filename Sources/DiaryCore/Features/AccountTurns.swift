import Synchronization

/// Lets requests that take much work begin in their order: one at a time for an account, and a few at a time in the process, which bounds their
/// memory and their share of its processors.
final class AccountTurns: Sendable {
    /// What takes turns, in the plural, for the log.
    private let name: String
    /// At a time in the process.
    let most: Int
    /// Of one account, beside the one that runs: a client may search with each letter that is typed.
    static let mostWaiting = 3
    /// Of all accounts.
    static let mostWaitingOfAll = 64

    init(of name: String, most: Int) {
        self.name = name
        self.most = most
    }

    private struct Waiting {
        let owner: Owner
        let isAwaited: @Sendable () -> Bool
        /// Resumed with nil to begin.
        let turn: CheckedContinuation<DiaryError?, Never>
    }

    private struct State {
        var running: Set<Owner> = []
        var waiting: [Waiting] = []

        /// Takes the next that may begin.
        mutating func next(of most: Int) -> Waiting? {
            guard running.count < most, let place = waiting.firstIndex(where: { !running.contains($0.owner) }) else {
                return nil
            }
            let next = waiting.remove(at: place)
            running.insert(next.owner)
            return next
        }

        /// Takes those whose clients have gone, such as the requests that an app has cancelled while a word was typed.
        mutating func takeGone() -> [Waiting] {
            let waited = waiting
            waiting = []
            var gone: [Waiting] = []
            for one in waited { if one.isAwaited() { waiting.append(one) } else { gone.append(one) } }
            return gone
        }

        /// nil when another may wait.
        func refusal(of owner: Owner, _ name: String) -> DiaryError? {
            if waiting.count(where: { $0.owner == owner }) >= AccountTurns.mostWaiting {
                return DiaryError(.rateLimited, retryAfter: 1, cause: "\(name) of one account")
            }
            return waiting.count < AccountTurns.mostWaitingOfAll
                ? nil : DiaryError(.overloaded, retryAfter: 1, cause: "\(waiting.count) \(name) wait")
        }
    }

    private let state = Mutex(State())

    /// How many wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// - Parameter isAwaited: false when the client has gone: its work does not begin, nor does it keep another from waiting.
    /// - Throws: `rateLimited` and `overloaded` when too many wait; `overloaded` to a client that has gone.
    func run<Value: Sendable>(
        of owner: Owner, isAwaited: @escaping @Sendable () -> Bool = { true }, _ work: () async throws(DiaryError) -> Value
    ) async throws(DiaryError) -> Value {
        let refusal = await withCheckedContinuation { (turn: CheckedContinuation<DiaryError?, Never>) in
            queue(Waiting(owner: owner, isAwaited: isAwaited, turn: turn))
        }
        if let refusal { throw refusal }
        defer { end(of: owner) }
        return try await work()
    }

    private func queue(_ new: Waiting) {
        let (gone, refusal, next) = state.withLock { state -> ([Waiting], DiaryError?, Waiting?) in
            let gone = state.takeGone()
            if let refusal = state.refusal(of: new.owner, name) { return (gone, refusal, nil) }
            state.waiting.append(new)
            return (gone, nil, state.next(of: most))
        }
        Self.dismiss(gone)
        if let refusal { new.turn.resume(returning: refusal) }
        next?.turn.resume(returning: nil)
    }

    private func end(of owner: Owner) {
        let (gone, next) = state.withLock { state -> ([Waiting], Waiting?) in
            state.running.remove(owner)
            let gone = state.takeGone()
            return (gone, state.next(of: most))
        }
        Self.dismiss(gone)
        next?.turn.resume(returning: nil)
    }

    private static func dismiss(_ gone: [Waiting]) {
        for one in gone { one.turn.resume(returning: DiaryError(.overloaded, retryAfter: 1, cause: "the client has gone")) }
    }
}
