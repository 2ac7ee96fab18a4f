import DiaryCore
package import HTTPListener
import HTTPTypes
import Logging
import NIOCore
import WireFormats

extension Dispatcher {
    /// The same problem shape, the same fields and the same log line as an answer of a route.
    package func refuse(_ refusal: ListenerRefusal, origin: String?) -> RefusalResponse {
        let error = DiaryError(Self.code(refusal))
        let now = environment.clock.now()
        let requestID = RequestID.make(at: now)
        var reply = Problem.reply(error, requestID: requestID, publicURL: environment.publicURL)
        Self.addCommonFields(&reply.headers, requestID: requestID)
        crossOrigin.mark(&reply.headers, refusing: origin)
        let body = Problem.body(error, requestID: requestID, publicURL: environment.publicURL)
        reply.headers[.connection] = "close"
        reply.headers[.contentLength] = String(body.readableBytes)
        if error.code == .methodNotAllowed { reply.headers[.allow] = Self.everyMethod }
        reply.headers[.date] = HTTPDate.text(now)

        var record = RequestRecord(method: "-", template: "-", status: error.code.status, milliseconds: 0, bytes: Int64(body.readableBytes))
        record.code = error.code.rawValue
        record.log(to: RequestRecord.logger(logger, requestID: requestID, trace: nil))
        return RefusalResponse(status: reply.status, headers: reply.headers, body: body)
    }

    private static func code(_ refusal: ListenerRefusal) -> ErrorCode {
        switch refusal {
        case .malformedRequest: .malformedRequest
        case .unknownMethod: .methodNotAllowed
        case .requestTimeout: .requestTimeout
        case .uriTooLong: .uriTooLong
        case .headersTooLarge: .headersTooLarge
        }
    }
}
