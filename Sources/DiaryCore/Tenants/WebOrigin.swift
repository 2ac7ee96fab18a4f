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
