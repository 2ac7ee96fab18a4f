/// A small secret of the service, sealed for the column that stores it: version, nonce, ciphertext, tag; 29 bytes longer than the plaintext
/// (docs/sealed-format.md).
package enum SealedSecret {
    static let version: UInt8 = 1

    /// - Parameter context: the one place it belongs to (table, column, row …); it does not open with another.
    package static func seal(_ plain: [UInt8], key: SecretBytes, context: [String]) throws(CryptoError) -> [UInt8] {
        try seal(plain, key: key, context: context, nonce: SecureRandom.bytes(AES256GCM.nonceSize))
    }

    static func seal(_ plain: [UInt8], key: SecretBytes, context: [String], nonce: [UInt8]) throws(CryptoError) -> [UInt8] {
        try AES256GCM.seal(plain, key: key, nonce: nonce, additional: additional(context), after: [version] + nonce)
    }

    /// - Throws: `refused` when it was altered or belongs to another context.
    package static func open(_ sealed: [UInt8], key: SecretBytes, context: [String]) throws(CryptoError) -> [UInt8] {
        guard let version = sealed.first else { throw .malformed }
        guard version == Self.version else { throw .unsupportedVersion }
        let start = 1 + AES256GCM.nonceSize
        guard sealed.count >= start + AES256GCM.tagSize else { throw .malformed }
        return try AES256GCM.open(sealed[start...], key: key, nonce: sealed[1..<start], additional: additional(context))
    }

    private static func additional(_ context: [String]) -> [UInt8] {
        var bytes: [UInt8] = [version]
        for word in context { bytes.append(counted: word) }
        return bytes
    }
}
