import DiaryCore
import HTTPListener
import HTTPTypes
import NIOCore
import NIOHTTP1
import WireFormats

/// The shape of every error: `application/problem+json` (RFC 9457).
enum Problem {
    /// The body: texts of the catalogue and constant details, never a cause.
    /// - Parameters:
    ///   - publicURL: the service's; `type` is the page of the code below it (`ProblemRoutes`).
    ///   - more: writes members of this error alone.
    static func body(
        _ error: DiaryError, requestID: String, publicURL: String, more: (inout JSONWriter) -> Void = { _ in }
    ) -> ByteBuffer {
        ByteBuffer.json { w in
            write(error, requestID: requestID, publicURL: publicURL, to: &w)
            more(&w)
        }
    }

    static func write(_ error: DiaryError, requestID: String, publicURL: String, to w: inout JSONWriter) {
        w.member("type", "\(publicURL)/problems/\(error.code.rawValue)")
        w.member("title", error.code.title)
        w.member("status", error.code.status)
        w.memberIfPresent("detail", error.detail)
        w.member("code", error.code.rawValue)
        w.member("request_id", requestID)
        w.member("retryable", error.code.retryable)
        if let entry = error.entry { w.member("entry_id", entry) }
        if let storage = error.storage {
            w.member("storage") {
                $0.member("bytes", storage.bytes)
                $0.member("max_bytes", storage.maxBytes)
            }
        }
        w.array("errors", error.fields) { w, field in
            w.object {
                $0.member("pointer", field.pointer)
                $0.member("detail", field.detail)
            }
        }
    }

    static func reply(
        _ error: DiaryError, requestID: String, publicURL: String, more: (inout JSONWriter) -> Void = { _ in }
    ) -> Reply {
        let body = body(error, requestID: requestID, publicURL: publicURL, more: more)
        var reply = Reply(HTTPResponse.Status(code: error.code.status), headers: headers(error), body: .bytes(body))
        reply.headers[.contentType] = "application/problem+json"
        reply.error = error
        return reply
    }

    /// For a handler that answers with an error instead of throwing it.
    static func reply(_ error: DiaryError, to exchange: Exchange, more: (inout JSONWriter) -> Void = { _ in }) -> Reply {
        reply(error, requestID: exchange.requestID, publicURL: exchange.environment.publicURL, more: more)
    }

    /// The fields of an error's status, whatever the body is.
    static func headers(_ error: DiaryError) -> HTTPFields {
        var headers = HTTPFields()
        switch error.code.status {
        case 401: headers[.wwwAuthenticate] = "Bearer"
        case 408, 413: headers[.connection] = "close"
        case 429, 503: headers[.retryAfter] = String(max(1, error.retryAfter ?? 1))
        default: break
        }
        return headers
    }

    /// `WWW-Authenticate` for a token that was sent and is expired, revoked or malformed (RFC 6750 section 3.1).
    static let invalidToken = "Bearer error=\"invalid_token\""

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
