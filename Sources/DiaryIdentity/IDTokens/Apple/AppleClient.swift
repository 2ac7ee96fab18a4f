package import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// One app of the operator at Apple, and the key that signs for it.
package struct AppleClient: Sendable {
    package let teamID: String
    /// App ID (native) or Services ID (web): the `aud` of the ID token whose code is exchanged.
    package let clientID: String
    package let keyID: String
    private let key: P256PrivateKey
    private let audience: String

    /// The longest lifetime Apple accepts, in seconds ("Creating a client secret").
    package static let maximumLifetime: Int64 = 15_777_000

    package init(teamID: String, clientID: String, keyID: String, key: P256PrivateKey, issuer: IDTokenIssuer = .apple) {
        self.teamID = teamID
        self.clientID = clientID
        self.keyID = keyID
        self.key = key
        audience = issuer.name
    }

    /// A client secret: an ES256 JWT, a new one for each call.
    /// - Parameter lifetime: seconds, 1 to `maximumLifetime`.
    /// - Throws: `TokenNotIssued` for another lifetime or a time outside the calendar; `CryptoError`.
    package func secret(at now: Date, lifetime: Int64 = 5 * 60) throws -> String {
        guard (1...Self.maximumLifetime).contains(lifetime),
            let issuedAt = Int64(exactly: now.timeIntervalSince1970.rounded(.down)), IDTokenPayload.calendar.contains(issuedAt)
        else { throw TokenNotIssued() }
        let header = JSONWriter.object { w in
            w.member("alg", "ES256")
            w.member("kid", keyID)
        }
        let payload = JSONWriter.object { w in
            w.member("iss", teamID)
            w.member("iat", issuedAt)
            w.member("exp", issuedAt + lifetime)
            w.member("aud", audience)
            w.member("sub", clientID)
        }
        let signingInput = Base64URL.encode(header) + "." + Base64URL.encode(payload)
        return try signingInput + "." + Base64URL.encode(key.sign(Array(signingInput.utf8)))
    }
}
