import DiaryCore
import DiaryDatabase
import DiaryHTTP
import DiaryIdentity
import DiaryObjectStore
import DiaryQueue
import Logging
import NIOCore
import ServiceLifecycle

extension Application {
    /// The API. Its pools: sign-in and members apart, so that a flood of logins takes no member's connection.
    func apiServices(onBound: @escaping @Sendable (Int?) async -> Void = { _ in }) async throws -> [any Service] {
        let members = try pool(.api, size: settings.database.poolSize)
        let signIn = try pool(.auth, size: max(2, settings.database.poolSize / 2))
        let accounts = PostgresAccountStore(pool: signIn)
        let entries = PostgresEntryStore(pool: members)
        let exports = PostgresExportStore(pool: members)
        let profiles = PostgresProfileStore(pool: members)
        let erasures = PostgresErasureStore(pool: members)
        let signInKeyPool = try keyPool(.auth)
        let memberKeyPool = try keyPool(.api)
        let signInKeys = dataKeys(signInKeyPool)
        let memberKeys = dataKeys(memberKeyPool)
        let hasher = try Argon2Hasher(concurrency: min(4, System.coreCount))
        let signing = try await SigningKeyRefresher(
            pool: memberKeyPool, settings: settings.keys,
            policy: AccessTokenPolicy(issuer: settings.issuer, audiences: [settings.publicURL.description]), clock: clock, logger: logger)
        let tokens = signing.tokens
        let limits = settings.limits
        let issuer = SessionIssuer(tokens: tokens, limits: limits, clock: clock)
        let credentials = SigV4Credentials(accessKeyID: "diary", secret: serviceKeys.uploads)
        let signer = SigV4UploadSigner(publicURL: settings.publicURL, credentials: credentials, region: "local")
        let verifier = UploadVerifier(
            publicURL: settings.publicURL, credentials: credentials, region: "local", longestLifetime: limits.uploadURLSeconds)
        let uploads = UploadURLs(signer: signer, lifetime: Double(limits.uploadURLSeconds))
        let profile = ReadProfile(profiles: profiles, keys: memberKeys)
        let publicURL = settings.publicURL.description
        // The notices read them again long before that.
        let tenants = PostgresTenantStore(pool: signIn, freshFor: .seconds(15))
        let rules = PasswordRules()
        let transfers = try providerTransfers("curl-keys")
        let passwordFault = { @Sendable (password: String, context: [String]) in rules.fault(password, context: context) }
        let policies = RatePolicies(times: settings.rateFactor)
        let limiter = RedisRateLimiter(client: redis)
        let sessions = PostgresSessionStore(pool: members)
        let credentialStore = PostgresCredentialStore(pool: signIn)
        let guesses = GuessLimit(
            limiter: limiter, policy: policies.guess, devices: policies.guessDevices, serviceKeys: serviceKeys, clock: clock)
        let life = AccountLife(
            requestCode: RequestCode(
                accounts: accounts, credentials: credentialStore, keys: signInKeys, serviceKeys: serviceKeys, jobSignals: jobSignals, limits: limits,
                clock: clock),
            signInByCode: SignInByCode(
                accounts: accounts, credentials: credentialStore, keys: signInKeys, serviceKeys: serviceKeys, issuer: issuer, guesses: guesses),
            resetPassword: ResetPassword(
                accounts: accounts, credentials: credentialStore, keys: signInKeys, hasher: hasher, serviceKeys: serviceKeys, jobSignals: jobSignals,
                issuer: issuer, guesses: guesses),
            changePassword: ChangePassword(
                credentials: credentialStore, keys: memberKeys, hasher: hasher, jobSignals: jobSignals, issuer: issuer, guesses: guesses,
                fault: passwordFault),
            changeAddress: ChangeAddress(
                accounts: accounts, credentials: credentialStore, keys: memberKeys, serviceKeys: serviceKeys, jobSignals: jobSignals, limits: limits,
                clock: clock),
            reauthenticate: Reauthenticate(
                credentials: credentialStore, keys: memberKeys, hasher: hasher, serviceKeys: serviceKeys, jobSignals: jobSignals, guesses: guesses,
                limits: limits, clock: clock),
            sessions: ListSessions(sessions: sessions, keys: memberKeys), endSessions: EndSessions(sessions: sessions),
            editProfile: EditProfile(profiles: profiles, keys: memberKeys), events: ReadEvents(profiles: profiles), profiles: profiles)
        let routes = DiaryRoutes(
            register: RegisterByEmail(
                accounts: accounts, keys: signInKeys, hasher: hasher, serviceKeys: serviceKeys, jobSignals: jobSignals, limits: limits, clock: clock),
            verify: VerifyEmail(accounts: accounts, keys: signInKeys, serviceKeys: serviceKeys, issuer: issuer),
            resend: ResendCode(accounts: accounts, keys: signInKeys, serviceKeys: serviceKeys, jobSignals: jobSignals, limits: limits, clock: clock),
            signIn: SignInByPassword(
                accounts: accounts, keys: signInKeys, hasher: hasher, serviceKeys: serviceKeys, issuer: issuer, guesses: guesses),
            rotate: RotateSession(accounts: accounts, serviceKeys: serviceKeys, jobSignals: jobSignals, issuer: issuer),
            life: life,
            providers: providerRoutes(
                signIn: signIn, members: members, signInKeys: signInKeys, memberKeys: memberKeys, issuer: issuer, tenants: tenants,
                transfers: transfers),
            profile: profile,
            erase: EraseAccount(
                erasures: erasures, keys: memberKeys, hasher: hasher, guesses: guesses, serviceKeys: serviceKeys, limits: limits, clock: clock),
            deletion: ReadDeletion(erasures: erasures, serviceKeys: serviceKeys),
            start: StartEntry(
                entries: entries, keys: memberKeys, serviceKeys: serviceKeys, uploads: uploads, tenants: tenants, limits: limits, clock: clock),
            read: ReadEntries(entries: entries, keys: memberKeys),
            edit: EditEntry(entries: entries, keys: memberKeys),
            delete: DeleteEntry(entries: entries, objects: objects, keys: memberKeys),
            reissue: ReissueUpload(entries: entries, uploads: uploads, clock: clock),
            complete: CompleteUpload(entries: entries, objects: objects, keys: memberKeys, jobSignals: jobSignals),
            retry: RetryEntry(entries: entries, keys: memberKeys, jobSignals: jobSignals),
            receive: ReceiveUpload(verifier: verifier, entries: entries, objects: objects, keys: memberKeys, clock: clock),
            play: PlayRecording(
                entries: entries, objects: objects, keys: memberKeys, links: links, publicURL: publicURL,
                lifetime: Double(limits.playbackURLSeconds),
                clock: clock),
            requestExport: RequestExport(
                exports: exports, profile: profile, serviceKeys: serviceKeys, jobSignals: jobSignals, limits: limits, clock: clock),
            exports: exports,
            download: DownloadExport(exports: exports, objects: objects, keys: memberKeys, links: links, clock: clock),
            tenants: tenants, limits: limits, policies: policies,
            publicURL: publicURL, openapi: try share.openAPI(), version: Version.text,
            readiness: readiness(members, memberKeyPool), jwks: { tokens.jwks },
            passwordFault: passwordFault)
        let http = RequestEnvironment(
            tokens: tokens, limiter: limiter, subjectKey: serviceKeys.rateSubject, clock: clock,
            limits: listenerLimits(), trustedProxies: settings.trustedProxies, placeHeader: settings.placeHeader,
            policies: { [factor = settings.rateFactor] policies, tenant in
                tenants.known(tenant)?.configuration.policies(policies, times: factor) ?? policies
            },
            appPolicies: { [factor = settings.rateFactor] policies, slug in
                guard let app = tenants.known(slug: slug) else { return policies }
                return app.configuration.policies(policies, beforeSignInTo: app.slug, times: factor)
            })
        return [
            ConnectionPoolShutdown(pools: [members, signIn, signInKeyPool, memberKeyPool]), TransferShutdown(transfers: transfers),
            notices([.tenants: { await tenants.refresh() }]),
            KeyCacheReaper(caches: [signInKeys, memberKeys]), signing,
            HTTPServer.make(
                routes.table(), at: settings.listen, environment: http, logger: logger, onBound: onBound,
                turnAway: NewcomerFilter.attach),
        ]
    }

    /// The connection cap never asks for more than the process may open: half for connections, as each may have a file open too.
    private func listenerLimits() -> ListenerLimits {
        var limits = settings.listener
        let fitting = max(16, (DescriptorLimit.raise() - 128) / 2)
        if limits.connections > fitting {
            logger.warning("connections limited by open files", metadata: ["connections": "\(fitting)"])
            limits.connections = fitting
        }
        return limits
    }

    private func readiness(_ database: ConnectionPool, _ keys: ConnectionPool) -> @Sendable () async -> [String: Bool] {
        let checks = [
            "database": ReadinessCheck { await database.answers() },
            "keys": ReadinessCheck { await keys.answers() },
            "redis": ReadinessCheck { [redis] in await redis.ping() },
            "storage": ReadinessCheck { [objects] in await objects.isWritable() },
        ]
        return {
            await withTaskGroup { group in
                for (name, check) in checks { group.addTask { (name, await check.passes()) } }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
    }
}

extension ConnectionPool {
    fileprivate func answers() async -> Bool { (try? await run([Statement("select 1")])) != nil }
}

extension PasswordRules {
    /// A sentence for the person who chose it.
    fileprivate func fault(_ password: String, context: [String]) -> String? {
        do {
            try check(password, context: context)
            return nil
        } catch {
            return switch error {
            case .tooShort: "must have at least \(Self.minimumLength) characters"
            case .tooLong: "must have at most \(Self.maximumBytes) bytes"
            case .common: "is among the first that are tried; choose another"
            case .predictable: "repeats itself or runs along the keyboard; choose another"
            case .personal: "is made of your own address or name; choose another"
            }
        }
    }
}
