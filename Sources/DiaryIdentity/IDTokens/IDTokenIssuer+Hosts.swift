package import CurlTransfer

extension IDTokenIssuer {
    /// The only hosts that requests for this issuer go to.
    package var hosts: Set<AllowedHost> {
        Set([jwksURL, tokenURL, revocationURL].compactMap { $0 }.compactMap { host(of: $0) })
    }

    /// `scheme://host[:port]/…`; nil for any other text.
    private func host(of url: String) -> AllowedHost? {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty, let scheme = AllowedHost.Scheme(rawValue: String(parts[0].dropLast())) else { return nil }
        let authority = parts[2]
        // The colon of a port comes after the bracket of an IPv6 address.
        let afterHost = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[afterHost...].lastIndex(of: ":") else {
            return AllowedHost(scheme, Self.bare(authority), mayBePrivate: isLocal)
        }
        guard let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port) else { return nil }
        return AllowedHost(scheme, Self.bare(authority[..<colon]), port: port, mayBePrivate: isLocal)
    }

    private static func bare(_ host: Substring) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
