import CurlTransfer
import ServiceLifecycle

/// Ends the transfers' thread when everything that used them has stopped.
struct TransferShutdown: Service {
    let transfers: CurlTransfers

    func run() async throws {
        try? await gracefulShutdown()
        await transfers.close(within: .seconds(2))
    }
}
