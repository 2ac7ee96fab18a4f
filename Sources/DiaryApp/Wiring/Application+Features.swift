import CurlTransfer
import DiaryCore
import DiaryDatabase
import DiaryIdentity
import DiaryObjectStore
import NIOCore

extension Application {
    /// The ports of the API's features, filled with the stores and clients of production.
    func featurePorts(
        _ storage: APIStorage, tokens: any AccessTokens, guesses: GuessLimit, transfers: CurlTransfers,
        mailTransfers: CurlTransfers
    ) throws -> FeaturePorts {
        let rules = PasswordRules()
        let providers = PinnedProviders(
            apple: settings.identityProviders.apple, google: settings.identityProviders.google, source: CurlKeySets(transfers: transfers))
        let uploads = UploadSigning(
            publicURL: settings.publicURL, secret: serviceKeys.uploads, longestLifetime: settings.limits.uploadURLSeconds)
        let entries = PostgresEntryStore(pool: storage.members)
        return FeaturePorts(
            accounts: PostgresAccountStore(pool: storage.signIn),
            credentials: PostgresCredentialStore(pool: storage.signIn),
            profiles: PostgresProfileStore(pool: storage.members),
            sessions: PostgresSessionStore(pool: storage.members),
            identities: PostgresIdentityStore(pool: storage.signIn),
            linkedIdentities: PostgresLinkedIdentityStore(pool: storage.members),
            entries: entries,
            trash: entries,
            audioRemovals: entries,
            exports: PostgresExportStore(pool: storage.members),
            imports: PostgresImportStore(pool: storage.members),
            exportSchedules: PostgresExportScheduleStore(pool: storage.members),
            erasures: PostgresErasureStore(pool: storage.members),
            objects: objects,
            parts: parts,
            partReceiver: self.storage.first.partReceiver,
            partUploads: PostgresPartUploadStore(pool: storage.members),
            tenants: storage.tenants,
            idempotencyKeys: PostgresIdempotencyKeyStore(pool: storage.members),
            engines: storage.engines,
            signInKeys: storage.signInKeys,
            memberKeys: storage.memberKeys,
            serviceKeys: serviceKeys,
            hasher: try passwordHasher(),
            passwordCheck: { password, ownWords in rules.fault(password, context: ownWords) },
            guesses: guesses,
            tokens: tokens,
            providerTokens: providers,
            appleNotifications: providers,
            keepsAppleGrants: settings.identityProviders.appleKey != nil,
            uploadSigner: self.storage.first.uploadSigner(uploads.signer),
            uploadVerifier: uploads.verifier,
            partSigner: self.storage.first.partSigner(uploads.signer),
            links: links,
            publicURL: settings.publicURL.description,
            mailFeedback: MailFeedbackPorts(
                reader: settings.mailFeedback.reader(mailTransfers), store: PostgresMailEventStore(pool: storage.signIn),
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
