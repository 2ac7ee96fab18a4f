import DiaryCrypto
import FoundationEssentials
import WireFormats

/// Recognises devices on which an address has signed in lately. A token is base64url of 14 random bytes, the day of the last sign-in (days
/// since 1970-01-01 UTC, 2 bytes, big-endian) and half of a keyed hash over them and the address; nothing is stored.
struct KnownDevices: Sendable {
    /// Life of a token, in days after the last sign-in.
    static let life = 180

    let key: SecretBytes
    let clock: WallClock

    /// - Parameter id: the device's number, when it has one.
    func issue(for address: [UInt8], id: [UInt8]? = nil) -> String {
        let day = UInt16(clamping: today)
        let named = (id ?? SecureRandom.bytes(14)) + [UInt8(truncatingIfNeeded: day >> 8), UInt8(truncatingIfNeeded: day)]
        return Base64URL.encode(named + proof(named, address))
    }

    /// The device's number, 14 bytes; nil when the token is not valid, was issued to another address or is too old. A day ahead is allowed,
    /// because clocks of processes differ.
    func id(_ token: String, for address: [UInt8]) -> [UInt8]? {
        guard token.utf8.count == 43, let bytes = Base64URL.decode(token), bytes.count == 32 else { return nil }
        let named = Array(bytes.prefix(16))
        guard ConstantTime.equal(Array(bytes.suffix(16)), proof(named, address)) else { return nil }
        let day = named.suffix(2).reduce(0) { $0 << 8 | Int($1) }
        return (today - Self.life...today + 1).contains(day) ? Array(named.prefix(14)) : nil
    }

    private var today: Int { Int(exactly: (clock.now().timeIntervalSince1970 / 86_400).rounded(.down)) ?? 0 }

    private func proof(_ named: [UInt8], _ address: [UInt8]) -> [UInt8] { Array(HMACSHA256.code(named + address, key: key).prefix(16)) }
}

/// A client's description of its device at sign-in.
package struct SignInDevice: Sendable {
    /// The user's name for it.
    package var name: String? = nil
    /// The device token of an earlier sign-in with the same address.
    package var token: String? = nil

    package init(name: String? = nil, token: String? = nil) {
        self.name = name
        self.token = token
    }
}
