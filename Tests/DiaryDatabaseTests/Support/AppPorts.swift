import DiaryCrypto
import DiaryTesting

@testable import DiaryCore
@testable import DiaryDatabase

/// The features of the API over the real stores of accounts; the ports behind the other features, and providers' signatures, are stubs.
struct AppPorts: Sendable {
    let database: MigratedDatabase
    let tenant: Tenant
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    var hasher: any PasswordHasher
    var limiter: any RateLimiter

    func features() throws -> DiaryFeatures {
        let auth = try database.pool(.auth)
        let api = try database.pool(.api)
        let providers = SaidTokens()
        var ports = try FeaturePorts.stub(tenants: [tenant])
        ports.accounts = PostgresSignInStore(pool: auth)
        ports.credentials = PostgresCredentialStore(pool: auth)
        ports.profiles = PostgresProfileStore(pool: api)
        ports.sessions = PostgresSessionStore(pool: api)
        ports.apiTokens = PostgresAPITokenStore(pool: api)
        ports.identities = PostgresIdentityStore(pool: auth)
        ports.linkedIdentities = PostgresLinkedIdentityStore(pool: api)
        ports.erasures = PostgresErasureStore(pool: api)
        ports.signInKeys = keys
        ports.memberKeys = keys
        ports.serviceKeys = serviceKeys
        ports.hasher = hasher
        ports.passwordCheck = { password, ownWords in ownWords.contains(password) ? "is your own address" : nil }
        ports.guesses = GuessLimit(
            limiter: limiter, policy: RatePolicy(name: "guesses", shape: .backoff(free: 5, first: 1, longest: 900)),
            serviceKeys: serviceKeys, clock: .system)
        ports.tokens = PlainTokens()
        ports.providerTokens = providers
        ports.appleNotifications = providers
        ports.clock = .system
        return DiaryFeatures(ports)
    }
}
