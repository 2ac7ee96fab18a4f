import DiaryCore
import HTTPListener
import HTTPTypes

/// A field in which a proxy names the client's country (`CF-IPCountry`, `X-Country-Code`). Read from trusted proxies only.
package struct PlaceHeader: Sendable {
    let name: HTTPField.Name

    /// nil when it is no field name.
    package init?(_ name: String) {
        guard let name = HTTPField.Name(name) else { return nil }
        self.name = name
    }

    /// Two letters (ISO 3166-1); proxies send `XX` or `T1` for unknown ones.
    func country(_ headers: HTTPFields) -> String? {
        let values = headers[values: name]
        guard values.count == 1, let value = values.first, value.utf8.count == 2, value != "XX",
            value.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { return nil }
        return value
    }
}

extension IPAddress {
    /// The network that holds the address, coarse enough for a provider and a region only: /16 of IPv4, /32 of IPv6.
    var network: String {
        guard bytes.count == 16 else { return "\(bytes[0]).\(bytes[1]).0.0/16" }
        return "\(group(0)):\(group(2))::/32"
    }

    private func group(_ index: Int) -> String { String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16) }
}

extension Exchange {
    /// The client's country or network, as coarse as a session keeps it; nil on a Unix socket without a trusted proxy.
    var place: String? {
        if let header = environment.placeHeader, environment.trustedProxies.trusts(peer: peer), let country = header.country(headers) {
            return country
        }
        return client.ip?.network
    }
}
