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
