import Synchronization

extension PoolCore {
    func close(deadline: ContinuousClock.Instant) {
        state.withLock { $0.closeDeadline = min($0.closeDeadline ?? deadline, deadline) }
        wakeup.signal()
        connectorWakeup.signal()
    }

    func closeAndWait(until deadline: ContinuousClock.Instant) async {
        close(deadline: deadline)
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.threads > 0 { state.closers.append(continuation) }
                return state.threads == 0
            }
            if isOver { continuation.resume() }
        }
    }

    /// The pool closes, and no request is left that a new connection could serve.
    var isStopped: Bool {
        state.withLock { state in
            guard let deadline = state.closeDeadline else { return false }
            return state.queue.isEmpty || deadline <= .now
        }
    }

    func takeVacancies() -> [Vacancy] {
        state.withLock { state in
            defer { state.vacancies = [] }
            return state.vacancies
        }
    }

    func threadEnded() {
        let closers: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.threads -= 1
            guard state.threads == 0 else { return [] }
            defer { state.closers = [] }
            return state.closers
        }
        wakeup.signal()
        for closer in closers { closer.resume() }
    }
}
