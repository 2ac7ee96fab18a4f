/// Called by the pool's loop.
extension PooledConnection {
    enum Step {
        case waiting
        /// It was free and has read the server's message; it is free again.
        case absorbed
        /// The connection died while it was idle.
        case lost
        /// The probe was answered; the request itself is next.
        case proven(DatabaseRequest)
        /// The probe failed; the request has not begun.
        case unproven(DatabaseRequest)
        case finished(DatabaseRequest, PipelineOutcome, isSpent: Bool)
    }

    /// Reads what arrived.
    /// - Parameter takeIdle: removes the connection from the core's list of idle ones; false when it is not there.
    func advance(_ event: ReadyList.Event, now: ContinuousClock.Instant, takeIdle: () -> Bool) -> Step {
        holdOrNote { state in
            guard let link = state.link else { return .waiting }
            guard var run = state.run else {
                // A sender that has just taken the connection checks the socket itself.
                guard event.readable, takeIdle() else {
                    watch(&state)
                    return .waiting
                }
                if link.absorb() {
                    watch(&state)
                    return .absorbed
                }
                drop(&state)
                return .lost
            }
            var progress = link.advance(readable: event.readable)
            if case .finished(let outcome) = progress, outcome.isStale, !run.isSecond {
                // The schema changed under the prepared statements. Nothing was written: parse again, once.
                link.prepared.forgetAll()
                run.isSecond = true
                state.run = run
                progress = link.begin(run.statements)
            }
            switch progress {
            case .waiting(let forSpace):
                watch(&state, forSpace: forSpace)
                return .waiting
            case .finished(let outcome):
                state.run = nil
                link.lastUsed = now
                watch(&state)
                if run.isProbe {
                    if case .success = outcome.result, outcome.isReusable { return .proven(run.request) }
                    drop(&state)
                    return .unproven(run.request)
                }
                let isSpent = run.isSecond || !outcome.isReusable || now >= state.expiry
                if outcome.isReusable { state.hasAnswered = true }
                return .finished(run.request, outcome, isSpent: isSpent)
            }
        } ?? .waiting
    }

    enum Check {
        case fine(due: ContinuousClock.Instant?)
        /// The caller has been answered already; the statements may still run on the server.
        case abandoned
        case overdue(DatabaseRequest)
        case unproven(DatabaseRequest)
        case expired
    }

    func check(now: ContinuousClock.Instant, isClosing: Bool, takeIdle: () -> Bool) -> Check {
        holdIfFree { state in
            guard state.link != nil else { return .fine(due: nil) }
            if let run = state.run {
                if run.request.isAbandoned {
                    drop(&state)
                    return .abandoned
                }
                guard run.deadline <= now else { return .fine(due: run.deadline) }
                drop(&state)
                return run.isProbe ? .unproven(run.request) : .overdue(run.request)
            }
            guard state.expiry <= now || isClosing else { return .fine(due: state.expiry) }
            guard takeIdle() else { return .fine(due: nil) }
            drop(&state)
            return .expired
        } ?? .fine(due: now + Self.recheckDelay)
    }

    /// Delay before a connection whose lock is taken is checked again.
    private static var recheckDelay: Duration { .milliseconds(10) }
}
