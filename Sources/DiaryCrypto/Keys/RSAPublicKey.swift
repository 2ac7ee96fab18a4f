import CLibcrypto

/// A provider's RS256 key, taken from the `n` and `e` of a JWK (RFC 7518 section 6.3.1).
package struct RSAPublicKey: Sendable {
    /// Bits of the modulus.
    package let bits: Int
    /// SubjectPublicKeyInfo.
    package let pem: String

    /// - Parameter n: modulus, most significant byte first; 2,048 to 8,192 bits and odd. A longer key costs time without need.
    /// - Parameter e: exponent; odd, at least 65,537 (NIST SP 800-56B) and at most 64 bits, libcrypto's limit.
    package init(n: [UInt8], e: [UInt8]) throws(CryptoError) {
        guard n.count <= 1025, e.count <= 9, let n = BigNumber(n), let e = BigNumber(e) else { throw .invalidKey }
        guard (2048...8192).contains(n.bits), n.isOdd, (17...64).contains(e.bits), e.isOdd else { throw .invalidKey }
        guard let key = EVPKey(owning: diary_rsa_public(n.pointer, e.pointer)) else { throw failure(.invalidKey) }
        bits = n.bits
        pem = try key.publicPEM()
    }
}
