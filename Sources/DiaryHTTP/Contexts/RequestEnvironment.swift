package import DiaryCore
package import DiaryCrypto
package import HTTPListener

/// What every request needs in addition to the use cases of its route.
package struct RequestEnvironment: Sendable {
    package var tokens: any AccessTokens
    package var limiter: any RateLimiter
    /// Key of the hash that limits are counted by, so that no address or user id reaches the limiter's store.
    package var subjectKey: SecretBytes
    /// Without a slash at its end; the types of problems are below it.
    package var publicURL: String
    package var clock: WallClock = .system
    package var limits: JSONLimits = JSONLimits()
    package var trustedProxies: TrustedProxies = .none
    /// The field in which a trusted proxy names the client's country; nil when none does.
    package var placeHeader: PlaceHeader? = nil
    /// A route's limits as they apply to members of an app.
    package var policies: @Sendable ([RatePolicy], TenantID) -> [RatePolicy] = { policies, _ in policies }
    /// The same for anonymous requests. Reads memory only.
    package var appPolicies: @Sendable ([RatePolicy], AppReference) -> [RatePolicy] = { policies, _ in policies }
    /// Origins whose web pages may call an app; without one, those of every app. A query at most every few seconds.
    package var origins: @Sendable (TenantID?) async -> Set<String> = { _ in [] }
    /// Those of every app, as far as this process has read them. Reads memory only.
    package var knownOrigins: @Sendable () -> Set<String> = { [] }
    /// By which this service knows the API tokens that it made; without one none is good.
    package var apiTokenKey: SecretBytes? = nil
    /// Writes that the member's API token was used.
    package var noteTokenUse: @Sendable (Member) async -> Void = { _ in }
    /// Whose sessions or API tokens were found ended.
    package let endedSessions = RecentMembers()
    /// Whose use of an API token was noted.
    package let tokenUses = RecentMembers(seconds: 300)

    package init(
        tokens: any AccessTokens, limiter: any RateLimiter, subjectKey: SecretBytes, publicURL: String, clock: WallClock = .system,
        limits: JSONLimits = JSONLimits(), trustedProxies: TrustedProxies = .none, placeHeader: PlaceHeader? = nil,
        policies: @escaping @Sendable ([RatePolicy], TenantID) -> [RatePolicy] = { policies, _ in policies },
        appPolicies: @escaping @Sendable ([RatePolicy], AppReference) -> [RatePolicy] = { policies, _ in policies },
        origins: @escaping @Sendable (TenantID?) async -> Set<String> = { _ in [] },
        knownOrigins: @escaping @Sendable () -> Set<String> = { [] }, apiTokenKey: SecretBytes? = nil,
        noteTokenUse: @escaping @Sendable (Member) async -> Void = { _ in }
    ) {
        self.tokens = tokens
        self.limiter = limiter
        self.subjectKey = subjectKey
        self.publicURL = publicURL
        self.clock = clock
        self.limits = limits
        self.trustedProxies = trustedProxies
        self.placeHeader = placeHeader
        self.policies = policies
        self.appPolicies = appPolicies
        self.origins = origins
        self.knownOrigins = knownOrigins
        self.apiTokenKey = apiTokenKey
        self.noteTokenUse = noteTokenUse
    }
}

/// The path of the public URL, for a service that is reached below one (`https://example.org/diary`): empty, or without a slash at its end.
struct PublicPrefix: Sendable {
    private let path: String

    init(_ publicURL: String) {
        let parts = publicURL.split(separator: "/", omittingEmptySubsequences: true)
        path = parts.dropFirst(2).map { "/\($0)" }.joined()
    }

    func path(_ rest: String) -> String { path + rest }
}
