import DiaryCore
import FoundationEssentials
import WireFormats

/// The claims set of an access token (RFC 9068 section 2.2; `tid` and `sid` are of this service).
struct AccessTokenPayload: Sendable, Equatable {
    let claims: AccessClaims
    /// Seconds since 1970.
    let issuedAt: Int64
    let expiresAt: Int64

    /// Decision: a token with any other member is refused, because its meaning (`nbf`, for instance) would be ignored. A new claim
    /// therefore ships in two releases: first replicas that accept it, then replicas that write it.
    private static let names = ["iss", "aud", "sub", "tid", "sid", "iat", "exp", "jti"]

    /// Whole seconds; `exp` is rounded down. Nil for times outside 1970 … 9999 and lifetimes the policy does not allow.
    init?(_ claims: AccessClaims, issuedAt now: Date, policy: AccessTokenPolicy) {
        guard let issuedAt = Self.seconds(now), let expiresAt = Self.seconds(claims.expiresAt),
            expiresAt > issuedAt, expiresAt - issuedAt <= policy.maximumLifetime
        else { return nil }
        self.claims = claims
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// Everything but the clock: types, issuer, audience, canonical ids, lifetime.
    init?(parsing bytes: [UInt8], policy: AccessTokenPolicy) {
        guard let object = JSONParser.object(bytes, .jose), object.hasOnly(Self.names),
            let issuer = object["iss"]?.string, issuer.hasSameBytes(as: policy.issuer),
            let audiences = object["aud"].flatMap({ value in value.string.map { [$0] } ?? value.strings }),
            audiences.contains(where: { named in policy.audiences.contains { $0.hasSameBytes(as: named) } }),
            let user: UserID = object["sub"].flatMap(Self.identifier),
            let tenant: TenantID = object["tid"].flatMap(Self.identifier),
            let session: SessionID = object["sid"].flatMap(Self.identifier),
            let _: ID<AccessTokenPayload> = object["jti"].flatMap(Self.identifier),
            let issuedAt = object["iat"]?.integer, Self.calendar.contains(issuedAt),
            let expiresAt = object["exp"]?.integer, Self.calendar.contains(expiresAt),
            expiresAt > issuedAt, expiresAt - issuedAt <= policy.maximumLifetime
        else { return nil }
        claims = AccessClaims(
            tenant: tenant, user: user, session: session, expiresAt: Date(timeIntervalSince1970: Double(expiresAt)))
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    func isCurrent(at now: Date, policy: AccessTokenPolicy) -> Bool {
        guard let now = Self.seconds(now) else { return false }
        return now < expiresAt + policy.leeway && issuedAt <= now + policy.leeway
    }

    func json(policy: AccessTokenPolicy) -> [UInt8] {
        let audiences = policy.audiences.sorted()
        return JSONWriter.object { w in
            w.member("iss", policy.issuer)
            if audiences.count == 1 { w.memberIfPresent("aud", audiences.first) } else { w.member("aud", audiences) }
            w.member("sub", claims.user.description)
            w.member("tid", claims.tenant.description)
            w.member("sid", claims.session.description)
            w.member("iat", issuedAt)
            w.member("exp", expiresAt)
            w.member("jti", UUIDv7.make().lowercaseText)
        }
    }

    /// 1970 to 9999: sums with a leeway cannot overflow.
    private static let calendar: ClosedRange<Int64> = 0...253_402_300_799

    private static func seconds(_ date: Date) -> Int64? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds).flatMap { calendar.contains($0) ? $0 : nil }
    }

    /// Only the form that this service writes: one id has one spelling.
    private static func identifier<Entity>(_ value: JSONValue) -> ID<Entity>? {
        guard let text = value.string, let id = ID<Entity>(text), id.description.hasSameBytes(as: text) else { return nil }
        return id
    }
}

/// Issuer, audiences and time limits of access tokens.
package struct AccessTokenPolicy: Sendable {
    package var issuer: String
    /// All are written into `aud`; a token is accepted when it names one of them.
    package var audiences: Set<String>
    /// Seconds by which another machine's clock may differ (A15).
    package var leeway: Int64 = 60
    /// The largest number of seconds from `iat` to `exp` in tokens of this service.
    package var maximumLifetime: Int64 = 24 * 60 * 60

    package init(issuer: String, audiences: Set<String>, leeway: Int64 = 60, maximumLifetime: Int64 = 24 * 60 * 60) {
        self.issuer = issuer
        self.audiences = audiences
        self.leeway = leeway
        self.maximumLifetime = maximumLifetime
    }
}
