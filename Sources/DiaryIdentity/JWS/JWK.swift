import DiaryCrypto
import WireFormats

/// One public key of a set (RFC 7517), bound to its `alg`.
struct JWK {
    let keyID: String
    let key: VerificationKey

    enum Reading {
        case key(JWK)
        /// Another algorithm, type or use: RFC 7517 section 5 says to ignore it.
        case ignored
        /// Names a supported algorithm and is not a valid key of it; the whole set is refused.
        case malformed
    }

    static func read(_ object: JSONObject) -> Reading {
        guard let keyID = object["kid"]?.string, !keyID.isEmpty else { return .ignored }
        // Decision: a key without `alg` is ignored. Apple and Google name it, and the key must fix the algorithm, not the token.
        guard let name = object["alg"]?.string, let algorithm = SignatureAlgorithm(rawValue: name) else { return .ignored }
        if let use = object["use"], use.string != "sig" { return .ignored }
        if let operations = object["key_ops"], operations.strings?.contains("verify") != true { return .ignored }
        guard object["d"] == nil else { return .malformed }
        guard let key = key(algorithm, object) else { return .malformed }
        return .key(JWK(keyID: keyID, key: key))
    }

    private static func key(_ algorithm: SignatureAlgorithm, _ object: JSONObject) -> VerificationKey? {
        switch (algorithm, object["kty"]?.string) {
        case (.es256, "EC"): p256(object).map(VerificationKey.es256)
        case (.rs256, "RSA"): rsa(object).map(VerificationKey.rs256)
        case (.ps256, "RSA"): rsa(object).map(VerificationKey.ps256)
        case (.hs256, "oct"): secret(object).map(VerificationKey.hs256)
        default: nil
        }
    }

    private static func p256(_ object: JSONObject) -> P256PublicKey? {
        guard object["crv"]?.string == "P-256",
            let x = object.bytes("x"), x.count == 32,
            let y = object.bytes("y"), y.count == 32
        else { return nil }
        return try? P256PublicKey(x: x, y: y)
    }

    private static func rsa(_ object: JSONObject) -> RSAVerificationKey? {
        guard let n = object.bytes("n"), n.count <= 1024, !ROCAFingerprint.marks(n),
            // 65537 or another odd number above 2¹⁶ (FIPS 186-5 section A.1.1), small enough to be cheap.
            let e = object.bytes("e"), (3...4).contains(e.count), e.last.map({ $0 % 2 == 1 }) == true,
            e.reduce(0, { $0 << 8 | Int($1) }) > 65536,
            let key = try? RSAPublicKey(n: n, e: e), key.bits >= 2048
        else { return nil }
        return RSAVerificationKey(key)
    }

    private static func secret(_ object: JSONObject) -> SecretBytes? {
        // RFC 7518 section 3.2: at least as long as the hash.
        guard let k = object.bytes("k"), (32...1024).contains(k.count) else { return nil }
        return SecretBytes(k)
    }
}

extension JSONObject {
    fileprivate func bytes(_ name: String) -> [UInt8]? { self[name]?.string.flatMap(Base64URL.decode) }
}

/// CVE-2017-15361: moduli of a broken generator are powers of 65537 modulo every small prime.
///
/// Source: Nemec et al., "The Return of Coppersmith's Attack", CCS 2017, section 3.3.
enum ROCAFingerprint {
    private static let primes: [Int] = [
        11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157,
    ]

    /// - Parameter modulus: big-endian. A sound key has this mark with a probability of about 2⁻²⁷.
    static func marks(_ modulus: [UInt8]) -> Bool {
        primes.allSatisfy { prime in
            let residue = modulus.reduce(0) { ($0 * 256 + Int($1)) % prime }
            var power = 1
            repeat {
                if power == residue { return true }
                power = power * 65537 % prime
            } while power != 1
            return false
        }
    }
}
