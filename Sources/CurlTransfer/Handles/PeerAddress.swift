import CLibcurl
import Glibc

/// Whether an address is one of the public Internet (IANA's special-purpose registries, RFC 6890).
///
/// Checked after the name was resolved and before the connection is made, so rebinding a name has no effect.
enum PeerAddress {
    static func isPublic(_ address: UnsafePointer<sockaddr>, length: UInt32) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET where Int(length) >= MemoryLayout<sockaddr_in>.size:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { isPublic(v4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr)) }
        case AF_INET6 where Int(length) >= MemoryLayout<sockaddr_in6>.size:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin6_addr) { isPublic(v6: Array($0)) }
            }
        default: false
        }
    }

    /// Address and prefix length.
    private static let specialV4: [(UInt32, UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
        (0xCB00_7100, 24), (0xE000_0000, 3),
    ]

    static func isPublic(v4 address: UInt32) -> Bool {
        !specialV4.contains { network, bits in (address ^ network) >> (32 - bits) == 0 }
    }

    static func isPublic(v6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else { return false }
        let embedded = bytes[12...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        // IPv4-mapped, and the well-known prefix of NAT64: the IPv4 address decides.
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        let isNAT64 = bytes[..<4].elementsEqual([0x00, 0x64, 0xFF, 0x9B]) && bytes[4..<12].allSatisfy { $0 == 0 }
        if isMapped || isNAT64 { return isPublic(v4: embedded) }
        // Global unicast is 2000::/3 ...
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        let first = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        let second = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        // ... without 2001::/23 (protocol assignments, Teredo), 2001:db8::/32, 6to4 and 3fff::/20.
        if first == 0x2001, second < 0x0200 || second == 0x0DB8 { return false }
        return first != 0x2002 && !(first == 0x3FFF && second < 0x1000)
    }
}
