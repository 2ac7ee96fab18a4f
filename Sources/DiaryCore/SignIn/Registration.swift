import DiaryCrypto
import WireFormats

/// The secret that a sign-up (or a resend) answers, and that must be sent back with the mailed code. The mail proves the address, this
/// proves the same sign-up: a code that an attacker's sign-up sent to the owner's mailbox is refused in the owner's app, so the attacker
/// cannot set a password for the account.
package struct Registration: Sendable, Equatable {
    /// 16 random bytes, stored as a keyed hash.
    let bytes: [UInt8]

    package init() { bytes = SecureRandom.bytes(16) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    package init?(parsing text: String) {
        guard text.utf8.count == 22, let bytes = Base64URL.decode(text), bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// 22 characters of base64url.
    package var text: String { Base64URL.encode(bytes) }
}
