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
    /// Besides those that describe the connection and the body's length, which are not the caller's.
    package var headers: [(name: String, value: String)]
    package var body: RequestBody
    package var deadlines: TransferDeadlines

    package init(
        _ method: Method, _ url: String, headers: [(name: String, value: String)] = [], body: RequestBody = .none,
        deadlines: TransferDeadlines = TransferDeadlines()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.deadlines = deadlines
    }
}

package enum RequestBody: Sendable {
    case none
    case bytes([UInt8])
    /// Pulled when the connection can take more; the next chunk is asked for when the one before is on its way. `nil` ends it.
    /// Without a length it goes out chunked. With one, too few bytes or a chunk that
    /// goes beyond it fail the transfer, and nothing is asked for once it is reached.
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
    /// Sent again by libcurl when a kept connection turns out to be dead; only what may arrive twice takes a kept connection.
    var isRepeatable: Bool {
        switch method {
        case .get, .head, .put, .delete: true
        case .post, .patch: false
        }
    }
}
