import CLibargon2
import DiaryCrypto

/// libargon2, synchronous. Passwords are passed as bytes with their length, so a NUL does not end one.
enum Argon2 {
    private static let saltBytes = 16
    private static let hashBytes = 32

    /// A PHC string with a fresh salt; nil when libargon2 refuses (no memory, impossible parameters).
    static func hash(_ password: [UInt8], _ parameters: Argon2Parameters) -> String? {
        let salt = SecureRandom.bytes(saltBytes)
        let capacity = argon2_encodedlen(
            parameters.passes, parameters.memoryKiB, parameters.lanes, UInt32(saltBytes), UInt32(hashBytes), Argon2_id)
        var encoded = [CChar](repeating: 0, count: capacity)
        let status = argon2id_hash_encoded(
            parameters.passes, parameters.memoryKiB, parameters.lanes, password, password.count, salt, salt.count, hashBytes,
            &encoded, encoded.count)
        guard status == ARGON2_OK.rawValue else { return nil }
        return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// libargon2 compares in constant time.
    static func verify(_ password: [UInt8], against phc: String) -> Bool {
        argon2id_verify(phc, password, password.count) == ARGON2_OK.rawValue
    }
}
