/// A target that requests may have: scheme, host and port must all match. There is no wildcard.
package struct AllowedHost: Sendable, Hashable {
    package enum Scheme: String, Sendable {
        /// Without TLS; possible only through an entry of the list.
        case http
        case https
        /// STARTTLS where the delivery requires it.
        case smtp
        case smtps
    }

    package let scheme: Scheme
    /// Lower case, without brackets.
    package let host: String
    package let port: Int
    /// True when the name may resolve to loopback, private or otherwise not public addresses.
    package let mayBePrivate: Bool
    /// Path of the Unix socket that is connected to in place of the host's address; nil: the host is looked up.
    package let socket: String?

    /// - Parameter port: by default the scheme's own: 80, 443, 25, 465.
    package init(_ scheme: Scheme, _ host: String, port: Int? = nil, mayBePrivate: Bool = false, socket: String? = nil) {
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port ?? scheme.defaultPort
        self.mayBePrivate = mayBePrivate
        self.socket = socket
    }
}

extension AllowedHost.Scheme {
    var defaultPort: Int {
        switch self {
        case .http: 80
        case .https: 443
        case .smtp: 25
        case .smtps: 465
        }
    }
}

/// Settings of all transfers of one `CurlTransfers`.
package struct TransferConfiguration: Sendable {
    package var hosts: [AllowedHost]
    /// A PEM file that replaces the system's certificates; nil for the system's.
    package var certificateFile: String? = nil
    /// `http://host:port`; nil means none. The environment's proxies are never used. A proxy resolves the names itself, so
    /// with one addresses are not checked here.
    package var proxy: String? = nil
    package var userAgent: String = "diary"
    /// Open at once over all hosts; further transfers queue, within their deadlines.
    package var maximumConnections: Int = 64

    package init(
        hosts: [AllowedHost], certificateFile: String? = nil, proxy: String? = nil, userAgent: String = "diary",
        maximumConnections: Int = 64
    ) {
        self.hosts = hosts
        self.certificateFile = certificateFile
        self.proxy = proxy
        self.userAgent = userAgent
        self.maximumConnections = maximumConnections
    }
}

/// Time limits of a transfer, enforced on the transfers' thread.
package struct TransferDeadlines: Sendable {
    /// Name look-up, TCP and TLS.
    package var connect: Duration = .seconds(5)
    /// From the call to the last byte.
    package var total: Duration = .seconds(30)
    /// Without a byte in either direction, in whole seconds; for SMTP also the wait for each reply. Pauses on this side do
    /// not count.
    package var stall: Duration = .seconds(15)

    package init(connect: Duration = .seconds(5), total: Duration = .seconds(30), stall: Duration = .seconds(15)) {
        self.connect = connect
        self.total = total
        self.stall = stall
    }
}

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
