import CLibcrypto

/// An ES256 signing key.
package struct P256PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: EVPKey
    private let encoded: SecretBytes
    package let publicKey: P256PublicKey

    package static func generate() throws(CryptoError) -> P256PrivateKey {
        guard let key = EVPKey(owning: diary_p256_generate()) else { throw failure(.libraryFailure) }
        return try P256PrivateKey(key)
    }

    /// - Parameter pem: PKCS#8, not encrypted; the whole key is checked.
    package init(pem: String) throws(CryptoError) {
        guard let key = EVPKey.read(pem: pem, with: diary_pem_read_private), key.isP256,
            key.passes({ EVP_PKEY_check($0) })
        else { throw failure(.invalidKey) }
        try self.init(key)
    }

    private init(_ key: EVPKey) throws(CryptoError) {
        self.key = key
        encoded = try key.privatePEM()
        publicKey = try P256PublicKey(pem: try key.publicPEM())
    }

    /// PKCS#8, not encrypted. Secret.
    package var pem: String { encoded.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    /// ECDSA over the message's SHA-256.
    /// - Returns: raw `r || s`, 64 bytes.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw failure(.libraryFailure) }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key.pointer, nil) == 1 else { throw failure(.libraryFailure) }
        // DER of two 256-bit integers takes at most 72 bytes.
        let der = [UInt8](unsafeUninitializedCapacity: 72) { buffer, count in
            var length = buffer.count
            let signed = message.withUnsafeBytes { message in
                EVP_DigestSign(context, buffer.baseAddress, &length, message.bytes, message.count)
            }
            if signed == 1 { count = length }
        }
        guard let raw = ECDSASignature.raw(der: der) else { throw failure(.libraryFailure) }
        return raw
    }

    package var description: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
