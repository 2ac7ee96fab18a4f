import S3Client
import WireFormats

/// The service's configured public address: what signed URLs start with and which `host` they sign.
package struct PublicURL: Sendable, Equatable, CustomStringConvertible {
    package let scheme: String
    /// Lower case, with the port when it is not the scheme's own: a `Host` field's value.
    package let host: String
    /// Empty, or `/something` without a slash at its end.
    package let prefix: String

    /// `http` or `https`, a host, maybe a port and a path of plain segments; anything else is nil.
    package init?(_ text: String) {
        guard let colon = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<colon.lowerBound].asciiLowercased
        guard let standard = ["http": ":80", "https": ":443"][scheme] else { return nil }
        let rest = text[colon.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        var host = rest[..<slash].asciiLowercased
        if host.hasSuffix(standard) { host = String(host.dropLast(standard.utf8.count)) }
        var path = rest[slash...]
        while path.last == "/" { path = path.dropLast() }
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte),
            path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().allSatisfy({ !["", ".", ".."].contains($0) }),
            PercentEncoding.encode(path.utf8, keepingSlash: true) == path
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.prefix = String(path)
    }

    package var description: String { "\(scheme)://\(host)\(prefix)" }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
