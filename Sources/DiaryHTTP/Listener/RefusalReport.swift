import DiaryCore
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import WireFormats

/// Answers and logs what never became a request: the same problem shape, the same fields, the same log line.
struct RefusalReport: Sendable {
    let environment: RequestEnvironment
    let logger: Logger

    func answer(_ error: DiaryError) -> (HTTPResponseHead, ByteBuffer) {
        let now = environment.clock.now()
        let requestID = RequestID.make(at: now)
        var reply = Problem.reply(error, requestID: requestID)
        Dispatcher.addCommonFields(&reply.headers, requestID: requestID)
        let body = Problem.body(error, requestID: requestID)
        reply.headers[.connection] = "close"
        reply.headers[.contentLength] = String(body.readableBytes)
        if error.code == .methodNotAllowed { reply.headers[.allow] = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT" }
        reply.headers[.date] = HTTPDate.text(now)

        var record = RequestRecord(method: "-", template: "-", status: error.code.status, milliseconds: 0, bytes: Int64(body.readableBytes))
        record.code = error.code.rawValue
        var logger = logger
        logger[metadataKey: "request_id"] = "\(requestID)"
        record.log(to: logger)
        environment.onRequest(record)

        let headers = HTTPHeaders(reply.headers.map { ($0.name.rawName, $0.value) })
        return (HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: error.code.status), headers: headers), body)
    }
}
