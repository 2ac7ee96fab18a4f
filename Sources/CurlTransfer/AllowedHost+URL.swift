extension AllowedHost {
    /// - Parameter url: `scheme://host[:port]/…`; nil for any other text.
    package init?(of url: String, mayBePrivate: Bool) {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty, parts[0].hasSuffix(":"), let scheme = Scheme(rawValue: String(parts[0].dropLast())) else {
            return nil
        }
        let authority = parts[2]
        // The colon of a port comes after the bracket of an IPv6 address.
        let afterHost = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[afterHost...].lastIndex(of: ":") else {
            self.init(scheme, Self.bare(authority), mayBePrivate: mayBePrivate)
            return
        }
        guard let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port) else { return nil }
        self.init(scheme, Self.bare(authority[..<colon]), port: port, mayBePrivate: mayBePrivate)
    }

    private static func bare(_ host: Substring) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
