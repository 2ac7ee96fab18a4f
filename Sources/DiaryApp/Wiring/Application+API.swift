import CurlTransfer
import DiaryCore
import DiaryDatabase
import DiaryHTTP
import DiaryIdentity
import DiaryObjectStore
import DiaryRedis
import HTTPListener
import Logging
import PostgresClient
import ServiceLifecycle

extension Application {
    /// The API's services, in the order of their start; they stop in reverse order.
    func apiServices(onBound: @escaping @Sendable (Int?) async -> Void = { _ in }) async throws -> [any Service] {
        let databases = try APIDatabases(self)
        let schema = try await SchemaWatch(main: databases.members, keys: databases.memberKeyPool, logger: logger)
        let keyWatch = try await KeyWatch(databases.memberKeyPool, settings, logger: logger)
        let signing = try await SigningKeyRefresher(
            pool: databases.memberKeyPool, retirements: PostgresRetiredTokenKeys(pool: databases.members), settings: settings.keys,
            policy: AccessTokenPolicy(issuer: settings.issuer, audiences: [settings.publicURL.description]), clock: clock, logger: logger)
        let tokens = signing.tokens
        let transfers = try identityProviderTransfers("curl-keys")
        // Without hosts: each request names its own.
        let mailTransfers = try CurlTransfers(TransferConfiguration(hosts: [], maximumConnections: 8), name: "curl-feedback")
        let policies = RatePolicies(times: settings.rateFactor)
        let limiter = RedisRateLimiter(client: redis)
        let guesses = GuessLimit(
            limiter: limiter, policy: policies.guess, devices: policies.guessDevices, serviceKeys: serviceKeys, clock: clock)
        let ports = try featurePorts(databases, tokens: tokens, guesses: guesses, transfers: transfers, mailTransfers: mailTransfers)
        let routes = DiaryRoutes(
            features: DiaryFeatures(ports),
            service: ServiceDescription(
                contract: try installedFiles.contract(), version: Version.number,
                readiness: readiness(databases.members, databases.memberKeyPool),
                schema: { schema.state }, jwks: { tokens.jwks }),
            limits: settings.limits, policies: policies, publicURL: ports.publicURL)
        return [
            ConnectionPoolShutdown(pools: databases.pools), TransferShutdown(transfers: transfers),
            TransferShutdown(transfers: mailTransfers), schema,
            notices([
                .tenants: { [tenants = databases.tenants, engines = databases.engines] in
                    await tenants.refresh()
                    engines.refresh()
                }
            ]),
            KeyCacheReaper(caches: [databases.signInKeys, databases.memberKeys]), keyWatch, signing,
            HTTPServer(
                Dispatcher(
                    table: routes.table(),
                    environment: requestEnvironment(tokens: tokens, limiter: limiter, databases), logger: logger),
                at: settings.listen, limits: listenerLimits(), trusted: settings.trustedProxies, logger: logger,
                onBound: { [manager, settings, logger] port in
                    if settings.countsClientsAsOne(boundTo: port) {
                        logger.warning("every client counts as one: a Unix socket without unix in DIARY_TRUSTED_PROXIES")
                    }
                    manager.notify(.ready)
                    await onBound(port)
                }),
            StopNotice(manager: manager),
        ]
    }

    /// An app's own rate limits replace the service's.
    private func requestEnvironment(
        tokens: any AccessTokens, limiter: any RateLimiter, _ databases: APIDatabases
    ) -> RequestEnvironment {
        let tenants = databases.tenants
        let apiTokens = PostgresAPITokenStore(pool: databases.members)
        return RequestEnvironment(
            tokens: tokens, limiter: limiter, subjectKey: serviceKeys.rateSubject, publicURL: settings.publicURL.description, clock: clock,
            trustedProxies: settings.trustedProxies, placeHeader: settings.placeHeader,
            policies: { [factor = settings.rateFactor] policies, tenant in
                tenants.known(tenant)?.configuration.policies(policies, times: factor) ?? policies
            },
            appPolicies: { [factor = settings.rateFactor] policies, reference in
                guard let app = tenants.known(reference) else { return policies }
                return app.configuration.policies(policies, beforeSignInTo: app.slug, times: factor)
            },
            origins: { await tenants.origins(of: $0) }, knownOrigins: { tenants.knownOrigins },
            apiTokenKey: serviceKeys.apiTokens, noteTokenUse: { member in _ = try? await apiTokens.noteUse(by: member) })
    }

    /// The connection limit stays within the process' open files: half of them for connections, as each may have a file open too.
    private func listenerLimits() -> ListenerLimits {
        var limits = settings.listener
        let fitting = max(16, (DescriptorLimit.raise() - 128) / 2)
        if limits.connections > fitting {
            logger.warning("connections limited by open files", metadata: ["connections": .stringConvertible(fitting)])
            limits.connections = fitting
        }
        return limits
    }

    private func readiness(_ database: ConnectionPool, _ keys: ConnectionPool) -> @Sendable () async -> [String: ReadinessState] {
        let checks = [
            "database": ReadinessCheck { await database.answers() },
            "keys": ReadinessCheck { await keys.answers() },
            "redis": ReadinessCheck(state: redisState),
            "storage": ReadinessCheck(state: storageState),
            "workers": workersCheck(database),
        ]
        return {
            await withTaskGroup { group in
                for (name, check) in checks { group.addTask { (name, await check.state()) } }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
    }
}

extension ConnectionPool {
    fileprivate func answers() async -> Bool { (try? await run([Statement("select 1")])) != nil }
}
