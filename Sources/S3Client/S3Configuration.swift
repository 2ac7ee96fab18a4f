package import CurlTransfer

/// A bucket and how it is used.
package struct S3Configuration: Sendable {
    package var bucket: S3Bucket
    /// Where presigned URLs lead, when clients reach the service at another address.
    package var publicBucket: S3Bucket
    package var region: String
    package var credentials: SigV4Credentials
    package var retries = S3Retries()
    /// Without a byte in either direction, after which a request has failed.
    package var stall: Duration = .seconds(20)
    /// A PEM file that replaces the system's certificates.
    package var certificateFile: String?
    package var maximumConnections = 64

    package init(
        bucket: S3Bucket, publicEndpoint: S3Endpoint? = nil, region: String, credentials: SigV4Credentials, certificateFile: String? = nil
    ) {
        self.bucket = bucket
        publicBucket = publicEndpoint.flatMap { S3Bucket(bucket.name, at: $0, style: bucket.style) } ?? bucket
        self.region = region
        self.credentials = credentials
        self.certificateFile = certificateFile
    }
}

/// Where a service answers: `http(s)://host[:port]`.
package struct S3Endpoint: Sendable, Hashable, CustomStringConvertible {
    package let scheme: AllowedHost.Scheme
    /// Lower case, without brackets.
    package let host: String
    package let port: Int

    /// Nil for anything but `http` or `https`, a host, maybe a port, and maybe a slash.
    package init?(_ text: String) {
        guard let target = AllowedHost(of: text, mayBePrivate: true), target.scheme == .http || target.scheme == .https,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "@") }), !target.host.isEmpty
        else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
        guard parts.allSatisfy(\.isEmpty), parts.count < 2, !text.contains("?"), !text.contains("#") else { return nil }
        self.init(target.scheme, target.host, port: target.port)
    }

    init(_ scheme: AllowedHost.Scheme, _ host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// A `Host` field's value: the port only when it is not the scheme's own.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (scheme == .https ? 443 : 80) ? name : "\(name):\(port)"
    }

    package var description: String { "\(scheme.rawValue)://\(authority)" }
}
