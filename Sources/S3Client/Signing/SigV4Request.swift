package import DiaryCrypto

/// The parts of an HTTP request that AWS Signature Version 4 covers.
package struct SigV4Request: Sendable {
    package static let unsignedPayload = "UNSIGNED-PAYLOAD"
    /// SHA-256 of nothing.
    package static let emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    package var method: String
    /// The path as the request line has it, up to the `?`.
    package var path: String
    /// The query as the request line has it, after the `?`.
    package var query: String = ""
    package var headers: [(name: String, value: String)]
    /// Lower-case hex SHA-256 of the body, or `UNSIGNED-PAYLOAD`.
    package var payloadHash: String

    package init(method: String, path: String, query: String = "", headers: [(name: String, value: String)], payloadHash: String) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.payloadHash = payloadHash
    }

    /// Lower-case names of all headers, sorted, each once.
    package var headerNames: [String] {
        var names: [String] = []
        for name in headers.map(\.name.asciiLowercased).sorted() where names.last != name { names.append(name) }
        return names
    }
}

extension StringProtocol {
    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    /// Lower-cases A … Z only: Unicode's rules would turn a Kelvin sign into a `k`.
    package var asciiLowercased: String {
        guard utf8.contains(where: Self.isUpper) else { return String(self) }
        return String(decoding: utf8.map { Self.isUpper($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

/// An access key pair, with a session token when it was issued for a while only.
package struct SigV4Credentials: Sendable {
    package let accessKeyID: String
    package let secret: SecretBytes
    package var sessionToken: String? = nil

    package init(accessKeyID: String, secret: SecretBytes, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secret = secret
        self.sessionToken = sessionToken
    }
}

/// `20150830/us-east-1/s3/aws4_request`: where and for which day a signing key is good.
package struct SigV4Scope: Sendable, Hashable, CustomStringConvertible {
    package let day: String
    package let region: String
    package let service: String

    package var description: String { "\(day)/\(region)/\(service)/\(Self.terminator)" }

    static let terminator = "aws4_request"
}
