import CurlTransfer
import DiaryCore

/// Where a provider answers: `http(s)://host[:port]`.
package struct MailEndpoint: Sendable, Equatable, CustomStringConvertible {
    package let description: String
    let target: AllowedHost

    /// Nil for anything but a scheme, a host, maybe a port, and maybe a slash. It is the provider's or the operator's choice, so it may lie
    /// in a private network (an endpoint of a VPC).
    package init?(_ text: String) {
        guard let address = EngineAddress(text), address.description.split(separator: "/").count == 2,
            let target = AllowedHost(of: address.description, mayBePrivate: true)
        else { return nil }
        description = address.description
        self.target = target
    }

    /// The `Host` field as libcurl sends it: the port only when it is not the scheme's own.
    var host: String {
        let name = target.host.contains(":") ? "[\(target.host)]" : target.host
        return target.port == (target.scheme == .https ? 443 : 80) ? name : "\(name):\(target.port)"
    }
}
