import CurlTransfer
import DiaryCore
import DiaryDatabase
import DiaryHTTP
import DiaryIdentity
import DiaryWorker
import PostgresClient
import ServiceLifecycle

extension Application {
    /// Sign-in by Apple and Google. Connections of the sign-in pool see identities of a whole app, the members' pool one's own.
    func providerRoutes(
        signIn: ConnectionPool, members: ConnectionPool, signInKeys: DataKeys, memberKeys: DataKeys, issuer: SessionIssuer,
        tenants: any TenantStore, transfers: CurlTransfers
    ) -> ProviderUses {
        let identities = PostgresIdentityStore(pool: signIn)
        let linked = PostgresLinkedIdentityStore(pool: members)
        let pinned = PinnedProviders(
            apple: settings.providers.apple, google: settings.providers.google, source: CurlKeySets(transfers: transfers))
        let proofs = ProviderProofs(
            tokens: pinned, serviceKeys: serviceKeys, keepsAppleGrants: settings.providers.appleKey != nil, clock: clock)
        let list = ListIdentities(linked: linked, keys: memberKeys)
        return ProviderUses(
            challenge: IssueChallenge(identities: identities, serviceKeys: serviceKeys, limits: settings.limits, clock: clock),
            signIn: SignInWithProvider(identities: identities, proofs: proofs, keys: signInKeys, issuer: issuer),
            list: list,
            link: LinkIdentity(
                identities: identities, own: list, proofs: proofs, keys: memberKeys, tenants: tenants, jobSignals: jobSignals, clock: clock),
            unlink: UnlinkIdentity(linked: linked, jobSignals: jobSignals),
            handle: HandleAppleNotification(identities: identities, tenants: tenants, reader: pinned, serviceKeys: serviceKeys, clock: clock))
    }

    /// Only to the providers. - Parameter name: of the thread.
    func providerTransfers(_ name: String) throws -> CurlTransfers {
        let hosts = settings.providers.apple.hosts.union(settings.providers.google.hosts)
        return try CurlTransfers(TransferConfiguration(hosts: Array(hosts), maximumConnections: 16), name: name)
    }

    /// What tells Apple, where there is a key to do it with.
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
