package import DiaryCrypto
import WireFormats

/// The subject of a limit's count in the limiter's store: 32 hex digits of a keyed hash, never an id or an address.
package enum RateSubjectName {
    package static func user(_ user: UserID, key: SecretBytes) -> String { hash(Array("user/".utf8) + user.uuid.octets, key: key) }

    package static func hash(_ message: [UInt8], key: SecretBytes) -> String {
        Hex.encode(Array(HMACSHA256.code(message, key: key).prefix(16)))
    }
}
