import CLibcrypto

/// A certificate with an RSA key, whose signatures are checked. Who issued it is not: its origin is what makes it trusted.
package struct RSACertificate: Sendable {
    package enum Digest: Sendable { case sha1, sha256 }

    private let key: EVPKey
    /// In seconds since 1970.
    package let validity: ClosedRange<Int64>

    /// - Parameters:
    ///   - pem: one certificate, with a key of 2,048 to 8,192 bits.
    ///   - names: of which one must be the certificate's, by RFC 6125.
    package init(pem: String, namedOneOf names: [String]) throws(CryptoError) {
        var pem = pem
        let certificate: OpaquePointer? = pem.withUTF8 { text in
            guard let count = Int32(exactly: text.count), let bio = BIO_new_mem_buf(text.baseAddress, count) else { return nil }
            defer { BIO_free(bio) }
            return diary_pem_read_certificate(bio)
        }
        guard let certificate else { throw failure(.invalidKey) }
        defer { X509_free(certificate) }
        guard names.contains(where: { X509_check_host(certificate, $0, $0.utf8.count, 0, nil) == 1 }) else { throw failure(.invalidKey) }
        var (from, until) = (Int64(0), Int64(0))
        guard diary_asn1_seconds(X509_get0_notBefore(certificate), &from) == 1,
            diary_asn1_seconds(X509_get0_notAfter(certificate), &until) == 1, from <= until
        else { throw failure(.invalidKey) }
        guard let key = EVPKey(owning: X509_get_pubkey(certificate)), EVP_PKEY_is_a(key.pointer, "RSA") == 1,
            (2048...8192).contains(EVP_PKEY_get_bits(key.pointer))
        else { throw failure(.invalidKey) }
        self.key = key
        validity = from...until
    }

    /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2).
    package func isValid(_ signature: [UInt8], for message: [UInt8], _ digest: Digest) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let name =
            switch digest {
            case .sha1: "SHA1"
            case .sha256: "SHA256"
            }
        var verdict: Int32 = 0
        if EVP_DigestVerifyInit_ex(context, nil, name, nil, nil, key.pointer, nil) == 1 {
            verdict = EVP_DigestVerify(context, signature, signature.count, message, message.count)
        }
        if verdict != 1 { ERR_clear_error() }
        return verdict == 1
    }
}

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
