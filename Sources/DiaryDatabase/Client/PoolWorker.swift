import Logging

/// One connection's thread: connects, serves, reconnects. Everything of libpq for this connection happens here.
struct PoolWorker {
    private let index: Int
    private let core: PoolCore
    private let wakeup: Wakeup

    init(_ index: Int, of core: PoolCore) {
        self.index = index
        self.core = core
        wakeup = core.wakeups[index]
    }

    func main() {
        var backOff = BackOff(base: core.configuration.backOffBase, cap: core.configuration.backOffCap)
        while !core.isStopped {
            do {
                let link = try PostgresLink.connect(core.target, wakeup: wakeup, isStopped: { core.isStopped })
                core.connected(index)
                // A server that takes connections and drops them again is not asked without pause either.
                if serve(link, backOff: &backOff) == .lost { pause(backOff.next()) }
            } catch {
                log(error)
                pause(backOff.next())
            }
        }
        core.threadEnded()
    }

    private func log(_ failure: PostgresLink.ConnectFailure) {
        switch failure {
        case .stopped: break
        case .timedOut: core.logger.warning("database did not answer in time", metadata: ["connection": "\(index)"])
        case .refused(let reason):
            core.logger.warning("database connection refused", metadata: ["connection": "\(index)", "reason": "\(reason)"])
        }
    }

    /// Ends early when another connection came up or the pool closes.
    private func pause(_ duration: Duration) {
        let deadline = ContinuousClock.now + duration
        let wasDown = core.isDown
        while !core.isStopped, !(wasDown && !core.isDown) {
            if SocketWait.wait(socket: -1, wakeup: wakeup, until: deadline).timedOut { return }
        }
    }

    private enum End {
        case lost
        /// Thrown away, worn out or no longer needed.
        case done
    }

    private func serve(_ link: PostgresLink, backOff: inout BackOff) -> End {
        let expiry = link.born + core.configuration.maxLifetime * Double.random(in: 0.9...1.1)
        var isSpent = false
        while true {
            if isSpent || ContinuousClock.now >= expiry { return end(.done) }
            switch core.next(for: index) {
            case .stop: return end(.done)
            case .idle:
                let wait = SocketWait.wait(socket: link.socket, wakeup: wakeup, until: expiry)
                if wait.readable, !link.absorb() {
                    core.logger.info("database connection lost", metadata: ["connection": "\(index)"])
                    return end(.lost)
                }
            case .request(let request):
                guard isTrustworthy(link) else { return end(.lost, unbegun: request) }
                guard request.begin(on: wakeup), case .pipeline(let statements) = request.work else { continue }
                let deadline = ContinuousClock.now + core.configuration.runDeadline
                var outcome = link.run(statements, until: deadline, isAbandoned: { request.isAbandoned })
                if outcome.isStale {
                    // The schema changed under the prepared statements. Nothing was written: parse anew, once.
                    link.prepared.forgetAll()
                    isSpent = true
                    outcome = link.run(statements, until: deadline, isAbandoned: { request.isAbandoned })
                }
                isSpent = isSpent || !outcome.isReusable
                if outcome.isReusable { backOff.reset() }
                // The caller's next call must not find a connection that is about to go.
                if isSpent { core.withdraw(index) }
                request.finish(outcome.result)
                if isSpent { return isLost(outcome) ? .lost : .done }
            }
        }
    }

    private func end(_ end: End, unbegun: DatabaseRequest? = nil) -> End {
        core.withdraw(index, unbegun: unbegun)
        return end
    }

    private func isLost(_ outcome: PipelineOutcome) -> Bool {
        guard case .failure(let error) = outcome.result else { return false }
        return error.kind == .unavailable
    }

    private func isTrustworthy(_ link: PostgresLink) -> Bool {
        guard link.isAlive() else { return false }
        guard link.lastUsed + core.configuration.idleCheck < .now else { return true }
        return link.answers(within: .seconds(1))
    }
}
