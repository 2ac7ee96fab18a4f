import CurlTransfer
import WireFormats

/// A bucket at an endpoint, and how its objects are addressed.
package struct S3Bucket: Sendable, Hashable {
    package enum Style: String, Sendable, CaseIterable {
        /// `endpoint/bucket/key`
        case path
        /// `bucket.endpoint/key`
        case virtual
    }

    package let endpoint: S3Endpoint
    package let name: String
    package let style: Style

    /// - Returns: nil for a name that is no bucket's: 3 to 63 lower-case letters, digits, dots and hyphens.
    package init?(_ name: String, at endpoint: S3Endpoint, style: Style) {
        guard Self.isName(name) else { return nil }
        self.endpoint = endpoint
        self.name = name
        self.style = style
    }

    package static func isName(_ name: String) -> Bool {
        (3...63).contains(name.utf8.count) && !name.contains("..") && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The endpoint that requests go to.
    private var address: S3Endpoint {
        style == .path ? endpoint : S3Endpoint(endpoint.scheme, "\(name).\(endpoint.host)", port: endpoint.port)
    }

    var host: String { address.authority }
    var origin: String { address.description }
    var target: AllowedHost { AllowedHost(address.scheme, address.host, port: address.port, mayBePrivate: true) }

    /// Percent-encoded as SigV4 has it.
    /// - Parameter key: nil for the bucket itself.
    func path(of key: String?) -> String {
        let start = style == .path ? "/\(name)" : ""
        guard let key else { return start.isEmpty ? "/" : start }
        return "\(start)/\(PercentEncoding.encode(key.utf8, keepingSlash: true))"
    }

    /// Keys that can be requested: libcurl would resolve the segments `.` and `..`.
    static func isKey(_ key: String) -> Bool {
        (1...1_024).contains(key.utf8.count) && !key.utf8.contains(0)
            && !key.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == "." || $0 == ".." }
    }
}
