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

    package var description: String { "<address>" }
}
