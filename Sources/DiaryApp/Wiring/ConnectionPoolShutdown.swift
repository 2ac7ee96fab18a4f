import PostgresClient
import ServiceLifecycle

/// Closes connection pools when everything that used them has stopped.
struct ConnectionPoolShutdown: Service {
    let pools: [ConnectionPool]

    func run() async throws {
        try? await gracefulShutdown()
        for pool in pools { await pool.close() }
    }
}
