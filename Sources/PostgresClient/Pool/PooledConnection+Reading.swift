/// The loop's part.
extension PooledConnection {
    enum Step {
        case waiting
        /// It was free and took in what the server had to say; it is free again.
        case absorbed
        /// The connection died while it was idle.
        case lost
        /// The probe was answered: now the request itself.
        case proven(DatabaseRequest)
        /// As `lost`, with a request that has not begun.
        case unproven(DatabaseRequest)
        case finished(DatabaseRequest, PipelineOutcome, isSpent: Bool)
    }

    /// Takes in what came.
    /// - Parameter takeIdle: takes the connection out of the core's list of idle ones, if it stands there.
    func advance(_ event: ReadyList.Event, now: ContinuousClock.Instant, takeIdle: () -> Bool) -> Step {
        holdOrNote { state in
            guard let link = state.link else { return .waiting }
            guard var run = state.run else {
                // Who has just taken the connection looks for himself.
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
                // The schema changed under the prepared statements. Nothing was written: parse anew, once.
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
        /// Its caller has been answered already; the statements may still run on the server.
        case abandoned
        case overdue(DatabaseRequest)
        case unproven(DatabaseRequest)
        case wornOut
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
            return .wornOut
        } ?? .fine(due: now + Self.again)
    }

    /// When to look again at a connection that somebody has.
    private static var again: Duration { .milliseconds(10) }
}
