import CurlTransfer
import DiaryCore
import DiaryDatabase
import DiaryIdentity
import DiaryObjectStore
import DiaryWorker
import NIOCore

extension Application {
    /// The ports of the API's features, filled with the stores and clients of production.
    func featurePorts(
        _ databases: APIDatabases, tokens: any AccessTokens, guesses: GuessLimit, transfers: CurlTransfers,
        mailTransfers: CurlTransfers
    ) throws -> FeaturePorts {
        let rules = PasswordRules()
        let providers = PinnedProviders(
            apple: settings.identityProviders.apple, google: settings.identityProviders.google, source: CurlKeySets(transfers: transfers))
        let uploads = UploadSigning(
            publicURL: settings.publicURL, secret: serviceKeys.uploads,
            longestLifetime: max(settings.limits.uploadURLSeconds, Int(TenantSetting.longestUploadURL)))
        let entries = PostgresEntryStore(pool: databases.members)
        return FeaturePorts(
            accounts: PostgresSignInStore(pool: databases.signIn),
            credentials: PostgresCredentialStore(pool: databases.signIn),
            profiles: PostgresProfileStore(pool: databases.members),
            sessions: PostgresSessionStore(pool: databases.members),
            apiTokens: PostgresAPITokenStore(pool: databases.members),
            identities: PostgresIdentityStore(pool: databases.signIn),
            linkedIdentities: PostgresLinkedIdentityStore(pool: databases.members),
            entries: entries,
            wholeEntries: entries,
            speakers: PostgresSpeakerStore(pool: databases.members),
            searches: PostgresSearchStore(pool: databases.members),
            trash: entries,
            audioRemovals: entries,
            tags: entries,
            exports: PostgresExportStore(pool: databases.members),
            imports: PostgresImportStore(pool: databases.members),
            exportSchedules: PostgresExportScheduleStore(pool: databases.members),
            erasures: PostgresErasureStore(pool: databases.members),
            objects: objects,
            bundler: ExportBundler(objects: objects, publicURL: settings.publicURL.description, clock: clock, logger: logger),
            parts: parts,
            partReceiver: objectStorage.partReceiver,
            partUploads: PostgresPartUploadStore(pool: databases.members),
            tenants: databases.tenants,
            idempotencyKeys: PostgresIdempotencyKeyStore(pool: databases.members),
            engines: databases.engines,
            signInKeys: databases.signInKeys,
            memberKeys: databases.memberKeys,
            serviceKeys: serviceKeys,
            hasher: try passwordHasher(),
            passwordCheck: { password, ownWords in rules.fault(password, context: ownWords) },
            guesses: guesses,
            tokens: tokens,
            providerTokens: providers,
            appleNotifications: providers,
            keepsAppleGrants: settings.identityProviders.appleKey != nil,
            uploadSigner: objectStorage.uploadSigner(uploads.signer),
            uploadVerifier: uploads.verifier,
            partSigner: objectStorage.partSigner(uploads.signer),
            links: links,
            publicURL: settings.publicURL.description,
            mailFeedback: MailFeedbackPorts(
                reader: settings.mailFeedback.reader(mailTransfers, logger), store: PostgresMailEventStore(pool: databases.signIn),
                trust: settings.mailFeedback.trust),
            jobSignals: jobSignals,
            limits: settings.limits,
            clock: clock)
    }

    private func passwordHasher() throws -> Argon2Hasher {
        let concurrency = min(4, System.coreCount)
        #if DIARY_FAILPOINTS
            if settings.passwordCost == .least { return try Argon2Hasher(parameters: .least, concurrency: concurrency) }
        #endif
        return try Argon2Hasher(concurrency: concurrency)
    }
}
