import CLibcrypto
import DiaryCrypto

/// An RSA public key that verifies; parsed once and kept.
final class RSAVerificationKey: Sendable {
    enum Padding { case pkcs1, pss }

    let pem: String
    private let modulusBytes: Int
    // EVP_PKEY is reference counted, and verifying with it concurrently is documented as safe once nothing changes it.
    private nonisolated(unsafe) let handle: OpaquePointer

    /// Nil when libcrypto does not take the key.
    init?(_ key: RSAPublicKey) {
        let pem = key.pem
        let handle: OpaquePointer? = Array(pem.utf8).withUnsafeBytes { bytes in
            guard let length = Int32(exactly: bytes.count), let bio = BIO_new_mem_buf(bytes.baseAddress, length) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_PUBKEY(bio, nil, nil, nil)
        }
        guard let handle else {
            ERR_clear_error()
            return nil
        }
        self.pem = pem
        self.modulusBytes = (key.bits + 7) / 8
        self.handle = handle
    }

    deinit { EVP_PKEY_free(handle) }

    /// RSASSA-PKCS1-v1_5 or RSASSA-PSS with SHA-256; PSS with MGF1-SHA-256 and a salt of 32 bytes (RFC 7518 sections 3.3, 3.5).
    func isValid(_ signature: [UInt8], for message: [UInt8], padding: Padding) -> Bool {
        guard signature.count == modulusBytes, let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var keyContext: OpaquePointer?
        guard EVP_DigestVerifyInit(context, &keyContext, EVP_sha256(), nil, handle) == 1, let keyContext else { return false }
        switch padding {
        case .pkcs1:
            guard EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PADDING) == 1 else { return false }
        case .pss:
            guard EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_mgf1_md(keyContext, EVP_sha256()) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, 32) == 1
            else { return false }
        }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
