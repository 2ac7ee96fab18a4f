import CLibcrypto
import WireFormats

/// An RSA key that signs; the product has none. Made once per size and test process.
final class RSATestKey: Sendable {
    enum Failure: Error { case libcrypto }
    enum Digest { case sha1, sha256, sha384 }

    static let issuer = Result { try RSATestKey() }
    static let otherKey = Result { try RSATestKey() }
    static let next = Result { try RSATestKey() }
    static let short = Result { try RSATestKey(bits: 1024) }
    static let tiny = Result { try RSATestKey(bits: 512) }

    private nonisolated(unsafe) let key: OpaquePointer
    let n: [UInt8]
    let e: [UInt8]

    init(bits: Int32 = 2048) throws {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { throw Failure.libcrypto }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
            EVP_PKEY_keygen(context, &key) == 1, let key
        else { throw Failure.libcrypto }
        self.key = key
        n = try Self.number(key, "n")
        e = try Self.number(key, "e")
    }

    deinit { EVP_PKEY_free(key) }

    private static func number(_ key: OpaquePointer, _ name: String) throws -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { throw Failure.libcrypto }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
        guard BN_bn2bin(number, &bytes) == Int32(bytes.count) else { throw Failure.libcrypto }
        return bytes
    }

    func sign(_ message: [UInt8], digest: Digest = .sha256, pss: Bool = false) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Failure.libcrypto }
        defer { EVP_MD_CTX_free(context) }
        var keyContext: OpaquePointer?
        let algorithm =
            switch digest {
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            case .sha384: EVP_sha384()
            }
        guard EVP_DigestSignInit(context, &keyContext, algorithm, nil, key) == 1,
            EVP_PKEY_CTX_set_rsa_padding(keyContext, pss ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING) == 1
        else { throw Failure.libcrypto }
        var signature = [UInt8](repeating: 0, count: 1024)
        var count = signature.count
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { throw Failure.libcrypto }
        return Array(signature.prefix(count))
    }

    func jwk(_ keyID: String, algorithm: String = "RS256", more: String = "") -> String {
        #"{"kty":"RSA","use":"sig","alg":"\#(algorithm)","kid":"\#(keyID)","n":"\#(Base64URL.encode(n))","e":"\#(Base64URL.encode(e))"\#(more)}"#
    }
}
