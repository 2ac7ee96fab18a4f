import WireFormats

/// A key set that must not be used. It carries no reason, because that would repeat input from outside.
package struct JWKSetRefused: Error, Sendable, Equatable {}

/// The keys of an issuer by `kid` (RFC 7517 section 5). Keys for other algorithms or uses are ignored.
package struct JWKSet: Sendable {
    let keys: [String: VerificationKey]

    /// 64 KiB: Google's and Apple's sets take under 5.
    package static let maximumBytes = 64 * 1024

    /// - Throws: `JWKSetRefused` for a set that is too large, repeats a `kid`, mixes secrets with public keys, holds a
    ///   private key or one that is not what it says (curve, point, size, exponent, ROCA).
    package init(parsing document: [UInt8]) throws(JWKSetRefused) {
        guard document.count <= Self.maximumBytes,
            let values = JSONParser.object(document, .jose)?["keys"]?.array
        else { throw JWKSetRefused() }
        var seen: Set<String> = []
        var keys: [String: VerificationKey] = [:]
        for value in values {
            guard let object = value.object else { throw JWKSetRefused() }
            // Among ignored keys too: with one `kid` twice, it is undefined which of them signs.
            if let keyID = object["kid"]?.string, !seen.insert(keyID).inserted { throw JWKSetRefused() }
            switch JWK.read(object) {
            case .key(let jwk): keys[jwk.keyID] = jwk.key
            case .ignored: continue
            case .malformed: throw JWKSetRefused()
            }
        }
        // A set with secrets and public keys is a sign of an algorithm confusion attack, which uses a public key as a secret.
        guard Set(keys.values.map(\.algorithm.isSymmetric)).count <= 1 else { throw JWKSetRefused() }
        self.keys = keys
    }

    /// The key ids that can verify.
    package var keyIDs: Set<String> { Set(keys.keys) }
}
