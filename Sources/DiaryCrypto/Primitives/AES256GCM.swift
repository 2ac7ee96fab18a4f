/// AES-256-GCM (NIST SP 800-38D) with 96-bit nonces and 128-bit tags. A nonce must never repeat under one key.
package enum AES256GCM {
    static let keySize = 32
    static let nonceSize = 12
    static let tagSize = 16

    /// - Returns: ciphertext and 16-byte tag.
    package static func seal(
        _ plain: [UInt8], key: SecretBytes, nonce: [UInt8], additional: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try seal(plain, key: key, nonce: nonce, additional: additional, after: [])
    }

    /// - Parameter sealed: ciphertext and tag, as `seal` returns them.
    /// - Throws: `refused` when the tag does not match; the plaintext is overwritten then.
    package static func open(
        _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], additional: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try open(sealed[...], key: key, nonce: nonce[...], additional: additional)
    }

    /// - Returns: `prefix`, ciphertext and tag in one allocation.
    static func seal(
        _ plain: [UInt8], key: SecretBytes, nonce: [UInt8], additional: [UInt8], after prefix: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var outcome: Result<Void, CryptoError> = .success(())
        let sealed = [UInt8](unsafeUninitializedCapacity: prefix.count + plain.count + tagSize) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(buffer)
            target.copyBytes(from: prefix)
            outcome = plain.withUnsafeBytes { plain in
                nonce.withUnsafeBytes { nonce in
                    additional.withUnsafeBytes { additional in
                        GCMContext.seal(
                            plain, key: key, nonce: nonce, additional: additional,
                            into: UnsafeMutableRawBufferPointer(rebasing: target[prefix.count...]))
                    }
                }
            }
            if case .success = outcome { count = prefix.count + plain.count + tagSize }
        }
        try outcome.get()
        return sealed
    }

    static func open(
        _ sealed: ArraySlice<UInt8>, key: SecretBytes, nonce: ArraySlice<UInt8>, additional: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try open(sealed, with: try GCMContext.opening(with: key), nonce: nonce, additional: additional)
    }

    static func open(
        _ sealed: ArraySlice<UInt8>, with context: borrowing GCMContext, nonce: ArraySlice<UInt8>, additional: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let plainCount = sealed.count - tagSize
        guard plainCount >= 0 else { throw .malformed }
        var outcome: Result<Void, CryptoError> = .success(())
        let plain = [UInt8](unsafeUninitializedCapacity: plainCount) { buffer, count in
            outcome = sealed.withUnsafeBytes { sealed in
                nonce.withUnsafeBytes { nonce in
                    additional.withUnsafeBytes { additional in
                        context.open(
                            sealed, nonce: nonce, additional: additional,
                            into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<plainCount]))
                    }
                }
            }
            if case .success = outcome { count = plainCount }
        }
        try outcome.get()
        return plain
    }
}
