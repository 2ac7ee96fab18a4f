import DiaryCore
import HTTPListener
import HTTPTypes
import NIOCore
import NIOHTTP1
import WireFormats

/// The shape of every error: `application/problem+json` (RFC 9457).
enum Problem {
    /// The body: texts of the catalogue and constant details, never a cause.
    static func body(_ error: DiaryError, requestID: String) -> ByteBuffer {
        ByteBuffer.json { w in
            w.member("type", "/problems/\(error.code.rawValue)")
            w.member("title", error.code.title)
            w.member("status", error.code.status)
            w.memberIfPresent("detail", error.detail)
            w.member("code", error.code.rawValue)
            w.member("request_id", requestID)
            w.member("retryable", error.code.retryable)
            w.array("errors", error.fields) { w, field in
                w.object {
                    $0.member("pointer", field.pointer)
                    $0.member("detail", field.detail)
                }
            }
        }
    }

    static func reply(_ error: DiaryError, requestID: String) -> Reply {
        var reply = Reply(HTTPResponse.Status(code: error.code.status), body: .bytes(body(error, requestID: requestID)))
        reply.headers[.contentType] = "application/problem+json"
        switch error.code.status {
        case 401: reply.headers[.wwwAuthenticate] = "Bearer"
        case 408, 413: reply.headers[.connection] = "close"
        case 429, 503: reply.headers[.retryAfter] = String(max(1, error.retryAfter ?? 1))
        default: break
        }
        return reply
    }

    /// Maps any error to one of the catalogue. An unexpected one is a 500 whose cause is the type's name alone.
    static func error(for error: any Error) -> DiaryError {
        switch error {
        case let error as DiaryError: error
        case is BodyTooSlow: DiaryError(.requestTimeout)
        case is HTTPParserError: DiaryError(.malformedRequest)
        case is CancellationError: DiaryError(.overloaded, retryAfter: 1, cause: "cancelled")
        default: DiaryError(.internalError, cause: "\(type(of: error))")
        }
    }
}
