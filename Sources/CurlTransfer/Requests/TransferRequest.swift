/// One HTTP request.
package struct TransferRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    package var url: String
    /// Without those that describe the connection and the body's length, which libcurl sets.
    package var headers: [(name: String, value: String)]
    package var body: RequestBody
    package var deadlines: TransferDeadlines
    /// The only target of this request, in place of the configuration's hosts; nil for those. For targets that are not known when the
    /// transfers are made. Such a request has a connection of its own.
    package var target: AllowedHost?

    package init(
        _ method: Method, _ url: String, headers: [(name: String, value: String)] = [], body: RequestBody = .none,
        deadlines: TransferDeadlines = TransferDeadlines(), target: AllowedHost? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.deadlines = deadlines
        self.target = target
    }
}

package enum RequestBody: Sendable {
    case none
    case bytes([UInt8])
    /// Pulled when the connection can take more; a chunk is requested when the one before is being sent. `nil` ends it.
    /// Without a length it is sent chunked. With one, too few bytes or a chunk beyond it fail the transfer, and no chunk is
    /// requested once it is reached.
    case stream(length: Int64?, next: @Sendable () async throws -> [UInt8]?)

    var length: Int64? {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .stream(let length, _): length
        }
    }
}

extension TransferRequest {
    /// libcurl repeats a request when a kept connection turns out to be closed, so only repeatable requests use kept connections.
    var isRepeatable: Bool {
        switch method {
        case .get, .head, .put, .delete: true
        case .post, .patch: false
        }
    }
}

/// One header line in libcurl's form; nil when name or value could become more than one line.
enum HeaderField {
    /// Set by libcurl, or describing the connection.
    private static let reserved: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "expect",
        "proxy-authorization", "proxy-connection", "cookie", "accept-encoding",
    ]

    static func line(_ name: String, _ value: String) -> String? {
        guard (1...128).contains(name.utf8.count), name.utf8.allSatisfy(isToken), !reserved.contains(name.lowercased()) else { return nil }
        guard value.utf8.count <= 16 * 1024, value.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7E).contains($0) }) else { return nil }
        // "Name:" would remove a header of libcurl; an empty value is written with a semicolon (CURLOPT_HTTPHEADER).
        return value.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) ? "\(name);" : "\(name): \(value)"
    }

    /// `tchar` of RFC 9110 section 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
