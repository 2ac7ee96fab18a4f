/// An origin as browsers send it in `Origin` (RFC 6454 section 6.2): scheme, host in lower case, and the port unless it is the scheme's own.
package struct WebOrigin: Sendable, Equatable {
    package let text: String

    /// nil when it is not exactly an origin: with a path, a user or a wildcard, or with http for another host than this machine, whose pages
    /// anyone between browser and server could alter.
    package init?(_ text: some StringProtocol) {
        let given = text.lowercased()
        let isSecure = given.hasPrefix("https://")
        guard isSecure || given.hasPrefix("http://") else { return nil }
        let rest = given.dropFirst(isSecure ? 8 : 7)
        let (host, port) = Self.split(rest)
        guard host == "[::1]" || HostName(host).map({ $0.text == host }) == true else { return nil }
        let isLocal = ["localhost", "127.0.0.1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
        guard isSecure || isLocal else { return nil }
        let scheme = isSecure ? "https://" : "http://"
        guard let port else {
            self.text = scheme + host
            return
        }
        guard let number = UInt16(port), number > 0, String(number) == port else { return nil }
        self.text = scheme + host + (number == (isSecure ? 443 : 80) ? "" : ":\(number)")
    }

    private static func split(_ authority: Substring) -> (host: String, port: String?) {
        guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")), !authority.hasSuffix("]") else {
            return (String(authority), nil)
        }
        return (String(authority[..<colon]), String(authority[authority.utf8.index(after: colon)...]))
    }
}

/// The name of a host, in lower case and without a dot at its end: ASCII, so an international one in its `xn--` form.
package struct HostName: Sendable, Equatable {
    package let text: String

    /// nil when it is not a name of letters, digits, dashes and dots; an IPv4 address is accepted too.
    package init?(_ text: some StringProtocol) {
        let name = text.lowercased()
        let host = name.hasSuffix(".") ? String(name.dropLast()) : name
        guard host.utf8.count <= 253 else { return nil }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let dash = UInt8(ascii: "-")
        guard
            labels.allSatisfy({ label in
                (1...63).contains(label.count) && label.first != dash && label.last != dash
                    && label.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == dash }
            })
        else { return nil }
        self.text = host
    }

    /// - Parameter authority: a host with or without a port.
    package init?(authority: String) {
        let host = authority.utf8.lastIndex(of: UInt8(ascii: ":")).map { authority[..<$0] } ?? authority[...]
        self.init(host)
    }
}

/// Addresses of the web that an operator names for mails.
package enum WebLink {
    package static let longest = 500

    /// `https://`, a host, and whatever can stand in an attribute of HTML between quotes without being escaped.
    package static func accepts(_ text: String) -> Bool {
        guard text.utf8.count <= longest, text.hasPrefix("https://"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"<>\"'\\^`{|}".utf8.contains($0) })
        else { return false }
        let host = text.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return HostName(host) != nil
    }
}
