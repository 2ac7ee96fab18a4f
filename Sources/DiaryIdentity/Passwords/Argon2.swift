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

/// Cost of a password hash. The default is OWASP's for argon2id (19 MiB, two passes, one lane).
package struct Argon2Parameters: Sendable, Equatable {
    package var memoryKiB: UInt32 = 19_456
    package var passes: UInt32 = 2
    package var lanes: UInt32 = 1
}

#if DIARY_FAILPOINTS
    extension Argon2Parameters {
        /// The least that libargon2 takes, for tests that are not about passwords. A release build does not have it, and nothing outside of
        /// this target can make other parameters.
        package static let least = Argon2Parameters(memoryKiB: 8, passes: 1)
    }
#endif

/// The parameters of an argon2id hash in PHC string form: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
struct PHCString: Equatable {
    let memoryKiB: UInt32
    let passes: UInt32
    let lanes: UInt32

    /// Nil for any other form and for costs that would stall the service, because a stored hash must not set the cost.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard text.utf8.count <= 256, parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19",
            !parts[4].isEmpty, !parts[5].isEmpty
        else { return nil }
        let costs = parts[3].split(separator: ",", omittingEmptySubsequences: false)
        guard costs.count == 3,
            let memory = Self.cost("m=", costs[0]), (8...1_048_576).contains(memory),
            let passes = Self.cost("t=", costs[1]), (1...64).contains(passes),
            let lanes = Self.cost("p=", costs[2]), (1...16).contains(lanes)
        else { return nil }
        memoryKiB = memory
        self.passes = passes
        self.lanes = lanes
    }

    private static func cost(_ name: String, _ text: Substring) -> UInt32? {
        guard text.hasPrefix(name) else { return nil }
        return UInt32(text.dropFirst(name.count))
    }
}
