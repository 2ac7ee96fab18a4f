package import NIOCore

/// An address as bytes in network order: 4 or 16. IPv4 mapped into IPv6 is IPv4.
package struct IPAddress: Sendable, Hashable {
    package let bytes: [UInt8]

    /// nil for a Unix socket.
    package init?(_ address: SocketAddress) {
        let bytes: [UInt8]
        // The offsets of sin_addr and sin6_addr (ip(7), ipv6(7)).
        switch address {
        case .v4(let address): bytes = unsafe withUnsafeBytes(of: address.address) { unsafe Array($0[4..<8]) }
        case .v6(let address): bytes = unsafe withUnsafeBytes(of: address.address) { unsafe Array($0[8..<24]) }
        case .unixDomainSocket: return nil
        }
        let isMapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Reads the forms of inet_pton(3): four decimal numbers without leading zeros, or RFC 4291 section 2.2.
    /// A zone behind an IPv6 address is dropped: it names an interface of the other machine.
    package init?(_ text: some StringProtocol) {
        let unzoned = text.prefix { $0 != "%" }
        // NIO passes a C string on, which a NUL would end.
        guard unzoned.utf8.allSatisfy(Self.isPartOfAddress), let address = try? SocketAddress(ipAddress: String(unzoned), port: 0) else {
            return nil
        }
        if unzoned.endIndex < text.endIndex, address.protocol != .inet6 { return nil }
        self.init(address)
    }

    private static func isPartOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    /// True when the first `bits` are those of `network`.
    func isInside(_ network: IPAddress, bits: Int) -> Bool {
        guard bytes.count == network.bytes.count else { return false }
        for (index, (a, b)) in zip(bytes, network.bytes).enumerated() {
            let left = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> left)
            guard a & mask == b & mask else { return false }
        }
        return true
    }
}

/// The network address of a request's client. Never logged, never stored: only its keyed hash is used.
package struct ClientAddress: Sendable, Equatable, CustomStringConvertible {
    /// nil on a Unix socket without a trusted forwarder.
    package let ip: IPAddress?

    package init(_ ip: IPAddress?) { self.ip = ip }

    /// IPv4 whole, IPv6 by its /64, which is what one customer gets (F6).
    package var prefix: [UInt8] {
        guard let bytes = ip?.bytes else { return [] }
        return bytes.count == 16 ? Array(bytes.prefix(8)) : bytes
    }

    /// The /48 of an IPv6 address, which is the most that one site gets (RFC 6177); nil for others.
    package var site: [UInt8]? { ip.flatMap { $0.bytes.count == 16 ? Array($0.bytes.prefix(6)) : nil } }

    package var description: String { "<address>" }
}
