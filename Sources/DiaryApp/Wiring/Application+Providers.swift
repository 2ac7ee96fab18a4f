import CurlTransfer
import DiaryCore
import DiaryDatabase
import DiaryHTTP
import DiaryIdentity
import DiaryWorker
import PostgresClient
import ServiceLifecycle

extension Application {
    /// A client that may reach the providers' hosts only.
    /// - Parameter name: of its thread.
    func providerTransfers(_ name: String) throws -> CurlTransfers {
        let hosts = settings.providers.apple.hosts.union(settings.providers.google.hosts)
        return try CurlTransfers(TransferConfiguration(hosts: Array(hosts), maximumConnections: 16), name: name)
    }

    /// Revokes Apple grants; empty without an Apple key.
    func appleServices(_ workers: ConnectionPool) throws -> [any Service] {
        guard let key = settings.providers.appleKey else { return [] }
        let transfers = try providerTransfers("curl-apple")
        return [
            TransferShutdown(transfers: transfers),
            AppleGrantProcessor(
                store: PostgresAppleGrantStore(pool: workers),
                apple: CurlAppleAccounts(issuer: settings.providers.apple, key: key, transfers: transfers), serviceKeys: serviceKeys,
                limits: settings.limits, logger: logger),
        ]
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
