import CLibcrypto

/// The owner of an `EVP_PKEY`.
///
/// Unchecked: the key does not change after it is made, and libcrypto allows several threads to use such a key at once, each with its own
/// context.
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of the reference.
    init?(owning pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    static func read(pem: String, with read: (OpaquePointer) -> OpaquePointer?) -> EVPKey? {
        var pem = pem
        return pem.withUTF8 { text in
            guard let count = Int32(exactly: text.count), let bio = BIO_new_mem_buf(text.baseAddress, count) else { return nil }
            defer { BIO_free(bio) }
            return EVPKey(owning: read(bio))
        }
    }

    /// PKCS#8, not encrypted.
    func privatePEM() throws(CryptoError) -> SecretBytes {
        try written {
            PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil)
        } copy: {
            let text = $0
            return SecretBytes(count: text.count) { $0.copyMemory(from: text) }
        }
    }

    /// SubjectPublicKeyInfo.
    func publicPEM() throws(CryptoError) -> String {
        try written {
            PEM_write_bio_PUBKEY($0, pointer)
        } copy: {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func written<Copy>(
        _ write: (OpaquePointer) -> Int32, copy: (UnsafeRawBufferPointer) -> Copy
    ) throws(CryptoError) -> Copy {
        guard let bio = BIO_new(BIO_s_mem()) else { throw failure(.libraryFailure) }
        defer { BIO_free(bio) }
        var bytes: UnsafeMutablePointer<CChar>?
        guard write(bio) == 1 else { throw failure(.libraryFailure) }
        let count = diary_bio_memory(bio, &bytes)
        guard count > 0, let bytes else { throw failure(.libraryFailure) }
        return copy(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Runs one of libcrypto's key checks.
    func passes(_ check: (OpaquePointer) -> Int32) -> Bool {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        return check(context) == 1
    }

    /// True for an EC key on the named curve P-256; explicit curve parameters have no name and are refused.
    var isP256: Bool {
        guard EVP_PKEY_is_a(pointer, "EC") == 1 else { return false }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
            var count = 0
            guard EVP_PKEY_get_group_name(pointer, name.baseAddress, name.count, &count) == 1 else { return false }
            return name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar(bitPattern: $0) })
        }
    }
}
