import CLibcrypto

/// The one owner of an `EVP_CIPHER_CTX`, and the only place that calls libcrypto's cipher functions.
struct GCMContext: ~Copyable {
    /// Fetched once: a fetch per message costs more than sealing a short one. Immutable and thread-safe once fetched.
    private nonisolated(unsafe) static let cipher: OpaquePointer? = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

    /// EVP counts in `int`.
    private static let largest = Int(Int32.max) - 64

    private let context: OpaquePointer

    private init?() {
        guard let context = EVP_CIPHER_CTX_new() else { return nil }
        self.context = context
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// - Parameter target: exactly `plain.count + 16` bytes.
    static func seal(
        _ plain: UnsafeRawBufferPointer, key: SecretBytes, nonce: UnsafeRawBufferPointer,
        additional: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Result<Void, CryptoError> {
        guard key.count == AES256GCM.keySize else { return .failure(.invalidKey) }
        guard nonce.count == AES256GCM.nonceSize, plain.count <= largest, additional.count <= largest,
            target.count == plain.count + AES256GCM.tagSize, let base = target.baseAddress
        else { return .failure(.invalidLength) }
        guard let cipher, let owner = GCMContext() else { return .failure(failure(.libraryFailure)) }
        var written: Int32 = 0
        let started = key.withUnsafeBytes {
            EVP_EncryptInit_ex2(owner.context, cipher, $0.bytes, nonce.bytes, nil)
        }
        guard started == 1,
            additional.isEmpty || EVP_EncryptUpdate(owner.context, nil, &written, additional.bytes, Int32(additional.count)) == 1,
            plain.isEmpty || EVP_EncryptUpdate(owner.context, target.bytes, &written, plain.bytes, Int32(plain.count)) == 1,
            EVP_EncryptFinal_ex(owner.context, (base + plain.count).assumingMemoryBound(to: UInt8.self), &written) == 1,
            diary_gcm_get_tag(owner.context, base + plain.count) == 1
        else { return .failure(failure(.libraryFailure)) }
        return .success(())
    }

    /// Sets the key up once for many messages.
    static func opening(with key: SecretBytes) throws(CryptoError) -> GCMContext {
        guard key.count == AES256GCM.keySize else { throw .invalidKey }
        guard let cipher, let owner = GCMContext() else { throw failure(.libraryFailure) }
        let started = key.withUnsafeBytes { EVP_DecryptInit_ex2(owner.context, cipher, $0.bytes, nil, nil) }
        guard started == 1 else { throw failure(.libraryFailure) }
        return owner
    }

    /// - Parameter target: exactly `sealed.count - 16` bytes; overwritten with zeros when the tag does not match.
    borrowing func open(
        _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, additional: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) -> Result<Void, CryptoError> {
        let count = sealed.count - AES256GCM.tagSize
        guard nonce.count == AES256GCM.nonceSize, sealed.count <= Self.largest, additional.count <= Self.largest,
            count >= 0, target.count == count, let base = sealed.baseAddress
        else { return .failure(.invalidLength) }
        var written: Int32 = 0
        var end: UInt8 = 0
        guard EVP_DecryptInit_ex2(context, nil, nil, nonce.bytes, nil) == 1,
            additional.isEmpty || EVP_DecryptUpdate(context, nil, &written, additional.bytes, Int32(additional.count)) == 1,
            count == 0 || EVP_DecryptUpdate(context, target.bytes, &written, sealed.bytes, Int32(count)) == 1,
            diary_gcm_set_tag(context, base + count) == 1
        else {
            OPENSSL_cleanse(target.baseAddress, target.count)
            return .failure(failure(.libraryFailure))
        }
        guard EVP_DecryptFinal_ex(context, &end, &written) == 1 else {
            OPENSSL_cleanse(target.baseAddress, target.count)
            return .failure(failure(.refused))
        }
        return .success(())
    }
}

extension UnsafeRawBufferPointer {
    /// The start as libcrypto's `const unsigned char *`.
    var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
    /// The start as libcrypto's `unsigned char *`.
    var bytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

/// Empties the thread's queue of libcrypto errors, which would otherwise grow and be read after a later call.
func failure(_ error: CryptoError) -> CryptoError {
    ERR_clear_error()
    return error
}
