package import FoundationEssentials

/// One sealed column value: version, key id, nonce, ciphertext, tag; 45 bytes longer than the plaintext.
package enum SealedPart {
    package static func seal(
        _ plain: [UInt8], key: DataKey, purpose: SealPurpose = .content, context: PartContext
    ) throws(CryptoError) -> [UInt8] {
        try seal(plain, key: key, purpose: purpose, context: context, nonce: SecureRandom.bytes(AES256GCM.nonceSize))
    }

    static func seal(
        _ plain: [UInt8], key: DataKey, purpose: SealPurpose, context: PartContext, nonce: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try AES256GCM.seal(
            plain, key: key.subkey(purpose), nonce: nonce, additional: context.additional,
            after: SealedPrefix(keyID: key.id, nonce: nonce).bytes)
    }

    /// - Throws: `wrongKey` when another data key sealed it, `refused` when it was altered or belongs to another context.
    package static func open(
        _ sealed: [UInt8], key: DataKey, purpose: SealPurpose = .content, context: PartContext
    ) throws(CryptoError) -> [UInt8] {
        let prefix = try SealedPrefix(parsing: sealed)
        guard prefix.keyID == key.id else { throw .wrongKey }
        return try AES256GCM.open(
            sealed.dropFirst(SealedPrefix.count), key: key.subkey(purpose), nonce: prefix.nonce, additional: context.additional)
    }

    /// The data key that opens it; nil for bytes that are not in the format. Not authenticated: use it only to look the key up.
    package static func keyID(of sealed: [UInt8]) -> UUID? { try? SealedPrefix(parsing: sealed).keyID }
}
