import DiaryCrypto
import WireFormats

/// What a sign-up (or a resend) gives to whoever asked, and what must come back with the mailed code. The mail proves the address, this proves that it is
/// the same sign-up: a code that a foreign's sign-up sent to somebody's mailbox is of no use in that person's app, so it cannot plant a password there.
package struct Registration: Sendable, Equatable {
    /// 16 random bytes, stored as a keyed hash.
    let bytes: [UInt8]

    package init() { bytes = SecureRandom.bytes(16) }

    package init?(parsing text: String) {
        guard text.utf8.count == 22, let bytes = Base64URL.decode(text), bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// 22 characters of base64url.
    package var text: String { Base64URL.encode(bytes) }
}
