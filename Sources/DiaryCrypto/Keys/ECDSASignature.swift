import CLibcrypto

/// P-256 signatures: raw `r || s` of 32 bytes each (RFC 7518 section 3.4) and the DER that libcrypto uses.
enum ECDSASignature {
    static let rawSize = 64

    static func raw(der: [UInt8]) -> [UInt8]? {
        der.withUnsafeBytes { der in
            var cursor = der.bytes
            guard let signature = d2i_ECDSA_SIG(nil, &cursor, der.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            guard let r = BigNumber.bytes(of: ECDSA_SIG_get0_r(signature), count: 32),
                let s = BigNumber.bytes(of: ECDSA_SIG_get0_s(signature), count: 32)
            else { return nil }
            // libcrypto also takes BER, and what stands behind it.
            return Self.der(raw: r + s).map { $0.elementsEqual(der) } == true ? r + s : nil
        }
    }

    static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == rawSize, let r = BigNumber(Array(raw[..<32])), let s = BigNumber(Array(raw[32...])),
            let signature = ECDSA_SIG_new()
        else { return nil }
        defer { ECDSA_SIG_free(signature) }
        // set0 fails for nil numbers only, so the signature owns both from here on.
        guard ECDSA_SIG_set0(signature, r.release(), s.release()) == 1 else { return nil }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(signature, &encoded)
        guard count > 0, let encoded else { return nil }
        defer { CRYPTO_free(encoded, nil, 0) }
        return Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    }
}
