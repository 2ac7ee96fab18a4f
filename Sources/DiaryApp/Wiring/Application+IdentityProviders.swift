import CurlTransfer
import DiaryCore
import DiaryDatabase
import DiaryHTTP
import DiaryIdentity
import DiaryWorker
import PostgresClient
import ServiceLifecycle

extension Application {
    /// An HTTP client that may reach the hosts of Apple and Google only.
    /// - Parameter name: of its thread.
    func identityProviderTransfers(_ name: String) throws -> CurlTransfers {
        let hosts = settings.identityProviders.apple.hosts.union(settings.identityProviders.google.hosts)
        return try CurlTransfers(TransferConfiguration(hosts: Array(hosts), maximumConnections: 16), name: name)
    }

    /// Revokes Apple grants; empty without an Apple key.
    func appleServices(_ workers: ConnectionPool) throws -> [any Service] {
        guard let key = settings.identityProviders.appleKey else { return [] }
        let transfers = try identityProviderTransfers("curl-apple")
        return [
            TransferShutdown(transfers: transfers),
            AppleGrantProcessor(
                store: PostgresAppleGrantStore(pool: workers),
                apple: CurlAppleAccounts(issuer: settings.identityProviders.apple, key: key, transfers: transfers),
                serviceKeys: serviceKeys, limits: settings.limits, logger: logger),
        ]
    }
}
