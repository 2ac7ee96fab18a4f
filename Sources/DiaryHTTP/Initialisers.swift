// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials
package import HTTPListener
package import HTTPTypes
package import Logging
package import NIOCore

extension JSONLimits {
    package init(jsonBytes: Int = 256 * 1024, jsonDepth: Int = 32, _: Void = ()) {
        self.jsonBytes = jsonBytes
        self.jsonDepth = jsonDepth
    }
}

extension Exchange {
    package init(
        method: HTTPRequest.Method, template: String, rawPath: String, parameters: [String: String], rawQuery: String?, headers: HTTPFields,
        authority: String?, body: IncomingBody, requestID: String, trace: TraceParent?, tenant: RequestTenant, peer: SocketAddress?,
        now: Date, connectionLogger: Logger, environment: RequestEnvironment, mayCreate: Bool = true, counter: CallCounter?, _: Void = ()
    ) {
        self.method = method
        self.template = template
        self.rawPath = rawPath
        self.parameters = parameters
        self.rawQuery = rawQuery
        self.headers = headers
        self.authority = authority
        self.body = body
        self.requestID = requestID
        self.trace = trace
        self.tenant = tenant
        self.peer = peer
        self.now = now
        self.connectionLogger = connectionLogger
        self.environment = environment
        self.mayCreate = mayCreate
        self.counter = counter
    }
}

extension RequestEnvironment {
    package init(
        tokens: any AccessTokens, limiter: any RateLimiter, subjectKey: SecretBytes, publicURL: String, clock: WallClock = .system,
        limits: JSONLimits = JSONLimits(), trustedProxies: TrustedProxies = .none, placeHeader: PlaceHeader? = nil,
        policies: @escaping @Sendable ([RatePolicy], TenantID) -> [RatePolicy] = { policies, _ in policies },
        appPolicies: @escaping @Sendable ([RatePolicy], AppReference) -> [RatePolicy] = { policies, _ in policies },
        origins: @escaping @Sendable (TenantID?) async -> Set<String> = { _ in [] },
        knownOrigins: @escaping @Sendable () -> Set<String> = { [] }, _: Void = ()
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
    }
}
