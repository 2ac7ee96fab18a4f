package import DiaryCrypto
import FoundationEssentials
import WireFormats

/// A refresh token: owner, session, number, and a secret whose successor only the server can derive (decision D8).
/// The successor's secret is derived from its parent's, so that a lost answer can be repeated.
package struct RefreshToken: Sendable, Equatable {
    package let owner: Owner
    package let session: SessionID
    package let number: Int32
    package let secret: [UInt8]

    package var text: String { Base64URL.encode(named + secret) }

    /// The hash that the database keeps.
    package var hash: [UInt8] { SHA256.digest(secret) }

    package func successor(key: SecretBytes) -> RefreshToken {
        var next = RefreshToken(owner: owner, session: session, number: number + 1, secret: [])
        next = RefreshToken(owner: owner, session: session, number: next.number, secret: HMACSHA256.code(next.named + secret, key: key))
        return next
    }

    /// Whether this is an ancestor of the token with this number and hash.
    /// - Parameter most: the largest number of steps; a session that is refreshed every quarter of an hour for 90 days has 8,640 tokens.
    package func leads(to newest: Int, _ hash: [UInt8], key: SecretBytes, most: Int = 20_000) async -> Bool {
        guard newest > Int(number), newest - Int(number) <= most else { return false }
        var token = self
        while Int(token.number) < newest {
            token = token.successor(key: key)
            // Yields now and then, so that a long chain does not block other requests on this thread.
            if token.number % 512 == 0 { await Task.yield() }
        }
        return ConstantTime.equal(token.hash, hash)
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

extension RefreshToken {
    /// The first token of a session.
    package init(firstOf session: SessionID, owner: Owner) {
        self.init(owner: owner, session: session, number: 1, secret: SecureRandom.bytes(32))
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
}
