/// The ports of all features. The application's wiring fills them with production stores and clients, tests with doubles.
package struct FeaturePorts: Sendable {
    // Stores. Those of sign-in have access to a whole app, the others to one member.
    package var accounts: any SignInStore
    package var credentials: any CredentialStore
    package var profiles: any ProfileStore
    package var sessions: any SessionStore
    package var apiTokens: any APITokenStore
    package var identities: any IdentityStore
    package var linkedIdentities: any LinkedIdentityStore
    package var entries: any EntryStore
    package var wholeEntries: any WholeEntryStore
    package var speakers: any SpeakerStore
    package var searches: any SearchStore
    package var trash: any TrashStore
    package var audioRemovals: any AudioRemovalStore
    package var tags: any TagStore
    package var exports: any ExportStore
    package var imports: any ImportStore
    package var exportSchedules: any ExportScheduleStore
    package var erasures: any ErasureStore
    package var objects: any ObjectStore
    package var bundler: any EntryBundler
    package var parts: any UploadParts
    /// Nil when clients send parts to the store directly (a bucket).
    package var partReceiver: (any PartReceiver)?
    package var partUploads: any PartUploadStore
    package var tenants: any TenantStore
    package var idempotencyKeys: any IdempotencyKeyStore
    package var engines: any EngineDirectory

    // Keys. Sign-in and members have separate key caches, over separate connections.
    package var signInKeys: DataKeys
    package var memberKeys: DataKeys
    package var serviceKeys: ServiceKeys

    // Sign-in.
    package var hasher: any PasswordHasher
    package var passwordCheck: PasswordCheck
    package var guesses: GuessLimit
    package var tokens: any AccessTokens
    package var providerTokens: any ProviderTokens
    package var appleNotifications: any AppleNotificationReading
    /// False without Apple's key: no code could be exchanged, so none is kept.
    package var keepsAppleGrants: Bool

    // Signed addresses.
    package var uploadSigner: any UploadSigner
    package var uploadVerifier: any UploadVerifying
    package var partSigner: any PartSigner
    package var links: any LinkSigning
    /// Without a slash at its end.
    package var publicURL: String

    package var mailFeedback: MailFeedbackPorts

    package var jobSignals: any JobSignals
    package var limits: Limits
    package var clock: WallClock

    package init(
        accounts: any SignInStore, credentials: any CredentialStore, profiles: any ProfileStore, sessions: any SessionStore,
        apiTokens: any APITokenStore, identities: any IdentityStore, linkedIdentities: any LinkedIdentityStore, entries: any EntryStore,
        wholeEntries: any WholeEntryStore, speakers: any SpeakerStore, searches: any SearchStore, trash: any TrashStore,
        audioRemovals: any AudioRemovalStore, tags: any TagStore, exports: any ExportStore, imports: any ImportStore,
        exportSchedules: any ExportScheduleStore, erasures: any ErasureStore, objects: any ObjectStore, bundler: any EntryBundler,
        parts: any UploadParts, partReceiver: (any PartReceiver)?, partUploads: any PartUploadStore, tenants: any TenantStore,
        idempotencyKeys: any IdempotencyKeyStore, engines: any EngineDirectory,
        signInKeys: DataKeys, memberKeys: DataKeys, serviceKeys: ServiceKeys, hasher: any PasswordHasher,
        passwordCheck: @escaping PasswordCheck, guesses: GuessLimit, tokens: any AccessTokens, providerTokens: any ProviderTokens,
        appleNotifications: any AppleNotificationReading, keepsAppleGrants: Bool, uploadSigner: any UploadSigner,
        uploadVerifier: any UploadVerifying, partSigner: any PartSigner, links: any LinkSigning, publicURL: String,
        mailFeedback: MailFeedbackPorts, jobSignals: any JobSignals, limits: Limits, clock: WallClock
    ) {
        self.accounts = accounts
        self.credentials = credentials
        self.profiles = profiles
        self.sessions = sessions
        self.apiTokens = apiTokens
        self.identities = identities
        self.linkedIdentities = linkedIdentities
        self.entries = entries
        self.wholeEntries = wholeEntries
        self.speakers = speakers
        self.searches = searches
        self.trash = trash
        self.audioRemovals = audioRemovals
        self.tags = tags
        self.exports = exports
        self.imports = imports
        self.exportSchedules = exportSchedules
        self.erasures = erasures
        self.objects = objects
        self.bundler = bundler
        self.parts = parts
        self.partReceiver = partReceiver
        self.partUploads = partUploads
        self.tenants = tenants
        self.idempotencyKeys = idempotencyKeys
        self.engines = engines
        self.signInKeys = signInKeys
        self.memberKeys = memberKeys
        self.serviceKeys = serviceKeys
        self.hasher = hasher
        self.passwordCheck = passwordCheck
        self.guesses = guesses
        self.tokens = tokens
        self.providerTokens = providerTokens
        self.appleNotifications = appleNotifications
        self.keepsAppleGrants = keepsAppleGrants
        self.uploadSigner = uploadSigner
        self.uploadVerifier = uploadVerifier
        self.partSigner = partSigner
        self.links = links
        self.publicURL = publicURL
        self.mailFeedback = mailFeedback
        self.jobSignals = jobSignals
        self.limits = limits
        self.clock = clock
    }
}

extension FeaturePorts {
    var issuer: SessionIssuer { SessionIssuer(tokens: tokens, limits: limits, clock: clock, profiles: profiles) }
    var codes: AccountCodes { AccountCodes(serviceKeys: serviceKeys, limits: limits, clock: clock) }
    var idempotentWrites: IdempotentWrites { IdempotentWrites(store: idempotencyKeys, serviceKeys: serviceKeys) }
    var createEntry: CreateEntry {
        CreateEntry(
            entries: entries, keys: memberKeys, serviceKeys: serviceKeys, uploads: uploads, tenants: tenants, jobSignals: jobSignals,
            limits: limits, clock: clock)
    }
    var deleteRecordings: DeleteRecordings { DeleteRecordings(objects: objects, parts: parts) }
    var partOffers: PartOffers {
        PartOffers(parts: parts, objects: objects, signer: partSigner, uploads: uploads, clock: clock)
    }
    var uploads: UploadURLs {
        UploadURLs(signer: uploadSigner, limits: limits, smallestPart: parts.smallestPart)
    }
}

/// The features of the API. Each feature adds its facade as a property in an extension, in the facade's own file; reading the property
/// makes the facade from the ports.
package struct DiaryFeatures: Sendable {
    let ports: FeaturePorts

    package init(_ ports: FeaturePorts) { self.ports = ports }
}
