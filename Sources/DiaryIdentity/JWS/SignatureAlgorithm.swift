/// The algorithms a key may be bound to (RFC 7518 section 3.1). There is no `none`.
package enum SignatureAlgorithm: String, Sendable {
    case es256 = "ES256"
    case rs256 = "RS256"
    case ps256 = "PS256"
    case hs256 = "HS256"

    var isSymmetric: Bool { self == .hs256 }
}
