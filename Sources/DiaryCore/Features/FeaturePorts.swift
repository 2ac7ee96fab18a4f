/// What the features need, filled in by the application's wiring, and by tests with doubles.
package struct FeaturePorts: Sendable {
    // Stores. Those of sign-in have access to a whole app, the others to one member.
    package var accounts: any AccountStore
    package var credentials: any CredentialStore
    package var profiles: any ProfileStore
    package var sessions: any SessionStore
    package var identities: any IdentityStore
    package var linkedIdentities: any LinkedIdentityStore
    package var entries: any EntryStore
    package var exports: any ExportStore
    package var erasures: any ErasureStore
    package var objects: any ObjectStore
    package var tenants: any TenantStore

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
    package var links: any LinkSigning
    /// Without a slash at its end.
    package var publicURL: String

    package var jobSignals: any JobSignals
    package var limits: Limits
    package var clock: WallClock

    package init(
        accounts: any AccountStore, credentials: any CredentialStore, profiles: any ProfileStore, sessions: any SessionStore,
        identities: any IdentityStore, linkedIdentities: any LinkedIdentityStore, entries: any EntryStore, exports: any ExportStore,
        erasures: any ErasureStore, objects: any ObjectStore, tenants: any TenantStore, signInKeys: DataKeys, memberKeys: DataKeys,
        serviceKeys: ServiceKeys, hasher: any PasswordHasher, passwordCheck: @escaping PasswordCheck, guesses: GuessLimit,
        tokens: any AccessTokens, providerTokens: any ProviderTokens, appleNotifications: any AppleNotificationReading,
        keepsAppleGrants: Bool, uploadSigner: any UploadSigner, uploadVerifier: any UploadVerifying, links: any LinkSigning,
        publicURL: String, jobSignals: any JobSignals, limits: Limits, clock: WallClock
    ) {
        self.accounts = accounts
        self.credentials = credentials
        self.profiles = profiles
        self.sessions = sessions
        self.identities = identities
        self.linkedIdentities = linkedIdentities
        self.entries = entries
        self.exports = exports
        self.erasures = erasures
        self.objects = objects
        self.tenants = tenants
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
        self.links = links
        self.publicURL = publicURL
        self.jobSignals = jobSignals
        self.limits = limits
        self.clock = clock
    }
}

extension FeaturePorts {
    var issuer: SessionIssuer { SessionIssuer(tokens: tokens, limits: limits, clock: clock) }
    var codes: AccountCodes { AccountCodes(serviceKeys: serviceKeys, limits: limits, clock: clock) }
    var uploads: UploadURLs { UploadURLs(signer: uploadSigner, lifetime: Double(limits.uploadURLSeconds)) }
}
