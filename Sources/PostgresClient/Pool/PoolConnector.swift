import Logging

/// The thread that opens a pool's connections, one after the other. Resolving a host name and authenticating may be slow, and must
/// not delay the answers of other connections.
struct PoolConnector {
    private struct Attempt {
        let connection: PooledConnection
        var due: ContinuousClock.Instant
    }

    let core: PoolCore

    func main() {
        let configuration = core.configuration
        var delays = core.connections.map { _ in ReconnectDelay(base: configuration.backOffBase, cap: configuration.backOffCap) }
        var attempts: [Attempt] = []
        var refusals = RefusalLog()
        while !core.isStopped {
            for vacancy in core.takeVacancies() {
                let connection = core.connections[vacancy.connection]
                if connection.takeHasAnswered() { delays[vacancy.connection].reset() }
                // Paces retries against a server that accepts connections and drops them again.
                let pause = vacancy.loss == .lost ? delays[vacancy.connection].next() : .zero
                attempts.append(Attempt(connection: connection, due: .now + pause))
            }
            guard let first = attempts.indices.min(by: { attempts[$0].due < attempts[$1].due }) else {
                _ = SocketWait.wait(socket: -1, wakeup: core.connectorWakeup, until: nil)
                continue
            }
            guard attempts[first].due <= .now else {
                _ = SocketWait.wait(socket: -1, wakeup: core.connectorWakeup, until: attempts[first].due)
                continue
            }
            let connection = attempts[first].connection
            if connect(connection, &refusals) {
                attempts.remove(at: first)
                // The server is back: retry the others without their pauses.
                if core.connected(connection) { for index in attempts.indices { attempts[index].due = .now } }
            } else {
                attempts[first].due = .now + delays[connection.index].next()
            }
        }
        core.threadEnded()
    }

    private func connect(_ connection: PooledConnection, _ refusals: inout RefusalLog) -> Bool {
        do {
            let link = try PostgresLink.connect(
                core.target, wakeup: core.connectorWakeup,
                onSilence: { core.logger.warning("database server did not answer in time", metadata: ["server": "\($0.text)"]) },
                isStopped: { core.isStopped })
            return connection.install(link, expiry: link.born + core.configuration.maxLifetime * Double.random(in: 0.9...1.1))
        } catch {
            log(error, &refusals)
            return false
        }
    }

    private func log(_ failure: PostgresLink.ConnectFailure, _ refusals: inout RefusalLog) {
        switch failure {
        // Each silent server has a line already.
        case .stopped, .timedOut: break
        case .refused(let reason):
            guard let count = refusals.refused(reason) else { return }
            core.logger.warning("database connection refused", metadata: ["refused": .stringConvertible(count), "reason": "\(reason)"])
        }
    }
}

/// Full jitter: each wait is drawn between zero and a bound that doubles (Brooker, "Exponential Backoff and Jitter").
struct ReconnectDelay {
    let base: Duration
    let cap: Duration
    var doublings = 0

    mutating func next() -> Duration {
        let bound = min(cap, base * (1 << doublings))
        if bound < cap { doublings += 1 }
        return bound * Double.random(in: 0..<1)
    }

    mutating func reset() {
        doublings = 0
    }
}

/// Which refused connections get a line in the log. While a server is down, a pool's connections try it several times a second in all.
struct RefusalLog {
    private var last: (reason: String, time: ContinuousClock.Instant)?
    private var untold = 0

    /// How many refusals a line now stands for; nil when there is none: at most one in ten seconds, for another reason than the last one
    /// in a second.
    mutating func refused(_ reason: String, at now: ContinuousClock.Instant = .now) -> Int? {
        untold += 1
        if let last, now - last.time < (reason == last.reason ? .seconds(10) : .seconds(1)) { return nil }
        defer { untold = 0 }
        last = (reason, now)
        return untold
    }
}
