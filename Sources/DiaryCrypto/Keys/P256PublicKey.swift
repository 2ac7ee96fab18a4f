import CLibcrypto

/// An ES256 verification key.
package struct P256PublicKey: Sendable, Equatable {
    /// Coordinates of 32 bytes each, as a JWK has them (RFC 7518 section 6.2.1).
    package let x: [UInt8]
    package let y: [UInt8]
    /// SubjectPublicKeyInfo.
    package let pem: String
    private let key: EVPKey

    /// - Parameter x: exactly 32 bytes, leading zeros included; `y` likewise.
    /// - Throws: `invalidKey` for another length or a point that is not on the curve.
    package init(x: [UInt8], y: [UInt8]) throws(CryptoError) {
        guard x.count == 32, y.count == 32 else { throw .invalidKey }
        let point = [0x04] + x + y
        guard let key = EVPKey(owning: point.withUnsafeBytes({ diary_p256_public($0.bytes) })) else { throw failure(.invalidKey) }
        try self.init(key)
    }

    /// - Parameter pem: SubjectPublicKeyInfo of an EC key on P-256.
    package init(pem: String) throws(CryptoError) {
        guard let key = EVPKey.read(pem: pem, with: diary_pem_read_public) else { throw failure(.invalidKey) }
        try self.init(key)
    }

    private init(_ key: EVPKey) throws(CryptoError) {
        guard key.isP256, key.passes({ EVP_PKEY_public_check($0) }) else { throw failure(.invalidKey) }
        guard let x = BigNumber(owning: diary_p256_x(key.pointer))?.bytes(count: 32),
            let y = BigNumber(owning: diary_p256_y(key.pointer))?.bytes(count: 32)
        else { throw failure(.libraryFailure) }
        self.x = x
        self.y = y
        self.key = key
        pem = try key.publicPEM()
    }

    /// - Parameter signature: raw `r || s`, 64 bytes; any other length is false.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard let der = ECDSASignature.der(raw: signature), let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, key.pointer, nil) == 1 else {
            ERR_clear_error()
            return false
        }
        let verdict = der.withUnsafeBytes { der in
            message.withUnsafeBytes { message in
                EVP_DigestVerify(context, der.bytes, der.count, message.bytes, message.count)
            }
        }
        if verdict != 1 { ERR_clear_error() }
        return verdict == 1
    }

    /// - Parameter signature: the DER of `ECDSA-Sig-Value` (RFC 3279 section 2.2.3).
    package func isValid(der signature: [UInt8], for message: [UInt8]) -> Bool {
        // Of 256-bit numbers at most 72 bytes.
        guard signature.count <= 80, let raw = ECDSASignature.raw(der: signature) else { return false }
        return isValid(raw, for: message)
    }

    package static func == (a: P256PublicKey, b: P256PublicKey) -> Bool { a.x == b.x && a.y == b.y }
}
