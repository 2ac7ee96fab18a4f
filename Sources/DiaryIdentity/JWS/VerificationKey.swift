import DiaryCrypto

/// A key together with the one algorithm it may be used with.
enum VerificationKey: Sendable {
    case es256(P256PublicKey)
    case rs256(RSAVerificationKey)
    case ps256(RSAVerificationKey)
    case hs256(SecretBytes)

    var algorithm: SignatureAlgorithm {
        switch self {
        case .es256: .es256
        case .rs256: .rs256
        case .ps256: .ps256
        case .hs256: .hs256
        }
    }

    /// Decision: a high `s` is accepted. RFC 7518 section 3.4 has no low-s rule, OpenSSL signs with either, and
    /// nothing here uses a token's bytes as its identity: a session is revoked by `sid`, the cache only holds claims.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch self {
        case .es256(let key): signature.count == 64 && key.isValid(signature, for: message)
        case .rs256(let key): key.isValid(signature, for: message, padding: .pkcs1)
        case .ps256(let key): key.isValid(signature, for: message, padding: .pss)
        case .hs256(let key): HMACSHA256.isValid(signature, message, key: key)
        }
    }

    /// The SubjectPublicKeyInfo in PEM; nil for a secret.
    var pem: String? {
        switch self {
        case .es256(let key): key.pem
        case .rs256(let key), .ps256(let key): key.pem
        case .hs256: nil
        }
    }
}

/// The algorithms a key may be bound to (RFC 7518 section 3.1). There is no `none`.
package enum SignatureAlgorithm: String, Sendable {
    case es256 = "ES256"
    case rs256 = "RS256"
    case ps256 = "PS256"
    case hs256 = "HS256"

    var isSymmetric: Bool { self == .hs256 }
}
