import Logging

/// The thread that makes a pool's connections, one after the other: looking up a host's name and the proof of a password may take their time,
/// and no answer of another connection waits for them.
struct PoolConnector {
    private struct Place {
        let connection: PooledConnection
        var due: ContinuousClock.Instant
    }

    private let core: PoolCore

    init(_ core: PoolCore) { self.core = core }

    func main() {
        let configuration = core.configuration
        var backOffs = core.connections.map { _ in ReconnectDelay(base: configuration.backOffBase, cap: configuration.backOffCap) }
        var places: [Place] = []
        while !core.isStopped {
            for vacancy in core.takeVacancies() {
                let connection = core.connections[vacancy.connection]
                if connection.takeHasAnswered() { backOffs[vacancy.connection].reset() }
                // A server that takes connections and drops them again is not asked without pause.
                let pause = vacancy.loss == .lost ? backOffs[vacancy.connection].next() : .zero
                places.append(Place(connection: connection, due: .now + pause))
            }
            guard let first = places.indices.min(by: { places[$0].due < places[$1].due }) else {
                _ = SocketWait.wait(socket: -1, wakeup: core.connectorWakeup, until: nil)
                continue
            }
            guard places[first].due <= .now else {
                _ = SocketWait.wait(socket: -1, wakeup: core.connectorWakeup, until: places[first].due)
                continue
            }
            let connection = places[first].connection
            if connect(connection) {
                places.remove(at: first)
                // The server is back, so the others need not sit out their pauses.
                if core.connected(connection) { for index in places.indices { places[index].due = .now } }
            } else {
                places[first].due = .now + backOffs[connection.index].next()
            }
        }
        core.threadEnded()
    }

    private func connect(_ connection: PooledConnection) -> Bool {
        do {
            let link = try PostgresLink.connect(core.target, wakeup: core.connectorWakeup, isStopped: { core.isStopped })
            return connection.install(link, expiry: link.born + core.configuration.maxLifetime * Double.random(in: 0.9...1.1))
        } catch {
            log(error, connection.index)
            return false
        }
    }

    private func log(_ failure: PostgresLink.ConnectFailure, _ index: Int) {
        switch failure {
        case .stopped: break
        case .timedOut: core.logger.warning("database did not answer in time", metadata: ["connection": "\(index)"])
        case .refused(let reason):
            core.logger.warning("database connection refused", metadata: ["connection": "\(index)", "reason": "\(reason)"])
        }
    }
}
