package import DiaryCrypto
import FoundationEssentials

/// A refresh token: whose, which session, which number, and a secret only the server can continue (D8).
/// The successor's secret is derived from its parent's, so that a lost answer can be given again.
package struct RefreshToken: Sendable, Equatable {
    package let owner: Owner
    package let session: SessionID
    package let number: Int32
    package let secret: [UInt8]

    /// The first token of a session.
    package init(firstOf session: SessionID, owner: Owner) {
        self.init(owner: owner, session: session, number: 1, secret: SecureRandom.bytes(32))
    }

    private init(owner: Owner, session: SessionID, number: Int32, secret: [UInt8]) {
        self.owner = owner
        self.session = session
        self.number = number
        self.secret = secret
    }

    /// Base64url of tenant, user, session (16 bytes each), number (4, big-endian) and secret (32).
    package init?(parsing text: String) {
        guard text.utf8.count == 112, let bytes = Base64URL.decode(text), bytes.count == 84,
            let tenant = UUID(octets: bytes[0..<16]), let user = UUID(octets: bytes[16..<32]), let session = UUID(octets: bytes[32..<48])
        else { return nil }
        let number = bytes[48..<52].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let number = Int32(exactly: number), number > 0, number < Int32.max else { return nil }
        self.init(
            owner: Owner(tenant: TenantID(tenant), user: UserID(user)), session: SessionID(session), number: number,
            secret: Array(bytes[52..<84]))
    }

    package var text: String { Base64URL.encode(named + secret) }

    /// What the database keeps.
    package var hash: [UInt8] { SHA256.digest(secret) }

    package func successor(key: SecretBytes) -> RefreshToken {
        var next = RefreshToken(owner: owner, session: session, number: number + 1, secret: [])
        next = RefreshToken(owner: owner, session: session, number: next.number, secret: HMACSHA256.code(next.named + secret, key: key))
        return next
    }

    private var named: [UInt8] {
        let n = UInt32(bitPattern: number)
        return owner.tenant.uuid.octets + owner.user.uuid.octets + session.uuid.octets
            + [
                UInt8(truncatingIfNeeded: n >> 24), UInt8(truncatingIfNeeded: n >> 16), UInt8(truncatingIfNeeded: n >> 8),
                UInt8(truncatingIfNeeded: n),
            ]
    }
}

/// What a client gets when it signs in (OAuth field names).
package struct SessionTokens: Sendable {
    package var accessToken: String
    package var expiresIn: Int
    package var refreshToken: String
    package var session: SessionID
    package var user: UserID

    package init(accessToken: String, expiresIn: Int, refreshToken: String, session: SessionID, user: UserID) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.session = session
        self.user = user
    }
}

/// Makes both tokens of a session.
package struct SessionIssuer: Sendable {
    let tokens: any AccessTokens
    let limits: Limits
    let clock: WallClock

    package init(tokens: any AccessTokens, limits: Limits, clock: WallClock) {
        self.tokens = tokens
        self.limits = limits
        self.clock = clock
    }

    func newSession(of refresh: RefreshToken, device: [UInt8]?) -> NewSession {
        NewSession(
            id: refresh.session, deviceSealed: device, refreshHash: refresh.hash, idleSeconds: limits.refreshIdleSeconds,
            absoluteSeconds: limits.refreshAbsoluteSeconds)
    }

    func issue(_ refresh: RefreshToken) throws(DiaryError) -> SessionTokens {
        let now = clock.now()
        let claims = AccessClaims(
            tenant: refresh.owner.tenant, user: refresh.owner.user, session: refresh.session,
            expiresAt: now.addingTimeInterval(Double(limits.accessTokenSeconds)))
        do {
            return SessionTokens(
                accessToken: try tokens.issue(claims, at: now), expiresIn: limits.accessTokenSeconds, refreshToken: refresh.text,
                session: refresh.session, user: refresh.owner.user)
        } catch {
            throw DiaryError(.internalError, cause: "signing an access token failed")
        }
    }
}
