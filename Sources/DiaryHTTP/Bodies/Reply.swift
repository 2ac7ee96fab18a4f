package import DiaryCore
package import HTTPTypes
package import NIOCore
package import WireFormats

/// A handler's answer; `Dispatcher` adds the header fields that every answer has.
package struct Reply: Sendable {
    package enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        /// Sent piece by piece. Without a length it is sent chunked (event streams).
        case stream(any ByteStream, length: Int64?)
    }

    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: Body
    /// Charged with the `replays` of its route: an earlier request's answer, or one that changes nothing.
    var isChargedAsRead = false
    /// The error that an HTML page, or a problem with fields of its own, shows; its code is logged like that of a thrown error.
    var error: DiaryError?

    package init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A JSON object.
    package static func json(
        _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], capacity: Int = 512, _ write: (inout JSONWriter) -> Void
    ) -> Reply {
        Reply(status, headers: headers, body: .bytes(ByteBuffer.json(capacity: capacity, write))).type("application/json")
    }

    package static let noContent = Reply(.noContent)

    package static func bytes(_ status: HTTPResponse.Status = .ok, type: String, _ bytes: [UInt8]) -> Reply {
        Reply(status, body: .bytes(ByteBuffer(bytes: bytes))).type(type)
    }

    /// - Parameter type: the charset is added.
    package static func text(_ status: HTTPResponse.Status = .ok, type: String = "text/plain", _ text: String) -> Reply {
        Reply(status, body: .bytes(ByteBuffer(string: text))).type(type + "; charset=utf-8")
    }

    package static func stream(_ status: HTTPResponse.Status = .ok, type: String, length: Int64?, _ stream: any ByteStream) -> Reply {
        Reply(status, body: .stream(stream, length: length)).type(type)
    }

    package static func redirect(_ status: HTTPResponse.Status, to location: String) -> Reply {
        Reply(status).with(.location, location)
    }

    /// An earlier request's answer, when `isReplay`: `Idempotency-Replayed` says so, and it is charged as a read.
    func replayed(_ isReplay: Bool) -> Reply {
        guard isReplay else { return self }
        var reply = with("Idempotency-Replayed", "true")
        reply.isChargedAsRead = true
        return reply
    }

    /// 304 in its place when the client names the answer's tag in `If-None-Match`. Of operations whose tag stands for the whole body.
    func unlessKept(by exchange: Exchange) -> Reply {
        guard let tag = headers[.eTag], exchange.has(tag) else { return self }
        var reply = Reply(.notModified).with(.eTag, tag)
        reply.headers[.cacheControl] = headers[.cacheControl]
        return reply
    }

    package func with(_ name: HTTPField.Name, _ value: String) -> Reply {
        var reply = self
        reply.headers[name] = value
        return reply
    }

    private func type(_ type: String) -> Reply { with(.contentType, type) }

    /// The value of `Content-Length`; nil when the body is sent chunked.
    var length: Int64? {
        switch body {
        case .none: 0
        case .bytes(let buffer): Int64(buffer.readableBytes)
        case .stream(_, let length): length
        }
    }
}

extension Reply {
    /// A field that HTTPTypes has no constant for.
    func with(_ name: String, _ value: String) -> Reply {
        HTTPField.Name(name).map { with($0, value) } ?? self
    }
}
