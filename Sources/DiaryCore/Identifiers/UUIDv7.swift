import DiaryCrypto
package import FoundationEssentials

/// The one id generator: RFC 9562 version 7 (48 bits of Unix milliseconds, then 74 random bits).
package enum UUIDv7 {
    package static func make(at now: Date = Date()) -> UUID {
        let milliseconds = UInt64(max(0, min(now.timeIntervalSince1970 * 1000, 281_474_976_710_655)))
        return make(milliseconds, SecureRandom.bytes(10))
    }

    /// The same id for the same seed, with the time of `id`.
    static func derived(from id: UUID, _ seed: [UInt8], key: SecretBytes) -> UUID {
        let random = Array(HMACSHA256.code(id.octets + seed, key: key).prefix(10))
        return make(id.octets.prefix(6).reduce(0) { $0 << 8 | UInt64($1) }, random)
    }

    /// - Parameter r: ten bytes.
    private static func make(_ milliseconds: UInt64, _ r: [UInt8]) -> UUID {
        func time(_ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: milliseconds >> shift) }
        return UUID(
            uuid: (
                time(40), time(32), time(24), time(16), time(8), time(0),
                0x70 | (r[0] & 0x0F), r[1], 0x80 | (r[2] & 0x3F), r[3], r[4], r[5], r[6], r[7], r[8], r[9]
            ))
    }
}

extension UUID {
    /// The 16 bytes in network order.
    package var octets: [UInt8] {
        let u = uuid
        return [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15]
    }

    /// The canonical form in lower case. Written by hand, because formatting took a tenth of the time of a short answer.
    package var lowercaseText: String {
        String(decoding: [UInt8](capacity: 36) { appendLowercase(to: &$0) }, as: UTF8.self)
    }

    /// The same as 36 bytes of ASCII.
    package func appendLowercase(to text: inout OutputSpan<UInt8>) {
        func put(_ octet: UInt8) {
            let (high, low) = (octet >> 4, octet & 15)
            text.append(high < 10 ? 0x30 + high : 0x57 + high)
            text.append(low < 10 ? 0x30 + low : 0x57 + low)
        }
        let u = uuid
        put(u.0); put(u.1); put(u.2); put(u.3)
        text.append(0x2D)
        put(u.4); put(u.5)
        text.append(0x2D)
        put(u.6); put(u.7)
        text.append(0x2D)
        put(u.8); put(u.9)
        text.append(0x2D)
        put(u.10); put(u.11); put(u.12); put(u.13); put(u.14); put(u.15)
    }

    package init?(octets b: some Collection<UInt8>) {
        let b = Array(b)
        guard b.count == 16 else { return nil }
        self.init(uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]))
    }
}

/// An identifier that cannot be mistaken for another entity's. Each entity's stands with its feature, as in `Tenants/Tenant.swift`.
package struct ID<Entity>: Hashable, Sendable, CustomStringConvertible {
    package let uuid: UUID

    package init(_ uuid: UUID) { self.uuid = uuid }

    /// Parses the canonical 36-character form, in either case.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: String(text)) else { return nil }
        self.uuid = uuid
    }

    /// Lower case, as the public contract has it.
    package var description: String { uuid.lowercaseText }
}
