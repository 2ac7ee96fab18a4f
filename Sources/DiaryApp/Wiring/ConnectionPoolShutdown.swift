import CurlTransfer
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

/// Ends the transfers' thread when everything that used them has stopped.
struct TransferShutdown: Service {
    let transfers: CurlTransfers

    func run() async throws {
        try? await gracefulShutdown()
        await transfers.close(within: .seconds(2))
    }
}
