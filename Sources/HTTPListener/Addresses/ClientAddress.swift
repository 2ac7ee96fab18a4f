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
