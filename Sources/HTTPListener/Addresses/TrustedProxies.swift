package import HTTPTypes
package import NIOCore

/// Proxies whose `X-Forwarded-For` is believed: CIDR blocks, and `unix` for peers on the Unix socket.
package struct TrustedProxies: Sendable {
    private var blocks: [(network: IPAddress, bits: Int)] = []
    /// Peers on a Unix socket have no address of their own; without this all their clients count as one.
    package private(set) var trustsUnixPeers = false

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    package static let none = TrustedProxies()
    private init() {}

    /// - Parameter list: e.g. `["127.0.0.1", "10.0.0.0/8", "fd00::/8", "unix"]`; nil when an element cannot be read.
    package init?(_ list: [String]) {
        for item in list {
            if item == "unix" {
                trustsUnixPeers = true
                continue
            }
            let parts = item.split(separator: "/", omittingEmptySubsequences: false)
            guard let first = parts.first, let network = IPAddress(first), parts.count <= 2 else { return nil }
            let whole = network.bytes.count * 8
            // Digits alone: `Int` would also take a sign.
            guard parts.dropFirst().allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
                let bits = parts.count == 2 ? Int(parts[1]) : whole, (0...whole).contains(bits)
            else { return nil }
            blocks.append((network, bits))
        }
    }

    /// Walks `X-Forwarded-For` from its end past every trusted hop; the first other address is the client.
    package func client(peer: SocketAddress?, headers: HTTPFields) -> ClientAddress {
        let direct = peer.flatMap { IPAddress($0) }
        guard direct.map(trusts) ?? trustsUnixPeers, let name = Self.forwardedFor else { return ClientAddress(direct) }
        var nearest = direct
        for hop in headers[values: name].joined(separator: ",").split(separator: ",").reversed().prefix(20) {
            guard let address = Self.address(hop.filter { $0 != " " && $0 != "\t" }) else { break }
            nearest = address
            if !trusts(address) { break }
        }
        return ClientAddress(nearest)
    }

    /// Some proxies write ports, and brackets around IPv6.
    private static func address(_ hop: String) -> IPAddress? {
        if let address = IPAddress(hop) { return address }
        if hop.hasPrefix("[") { return IPAddress(hop.dropFirst().prefix { $0 != "]" }) }
        guard let colon = hop.firstIndex(of: ":"), hop.lastIndex(of: ":") == colon else { return nil }
        return IPAddress(hop[..<colon])
    }

    /// Whether the fields in which this peer describes the client are believed.
    package func trusts(peer: SocketAddress?) -> Bool { peer.flatMap { IPAddress($0) }.map(trusts) ?? trustsUnixPeers }

    /// What connections are counted by; nil for a trusted proxy and for a Unix socket, which carry many clients each.
    func prefix(of peer: SocketAddress?) -> [UInt8]? {
        guard let direct = peer.flatMap({ IPAddress($0) }), !trusts(direct) else { return nil }
        return ClientAddress(direct).prefix
    }

    private func trusts(_ address: IPAddress) -> Bool {
        blocks.contains { address.isInside($0.network, bits: $0.bits) }
    }
}
