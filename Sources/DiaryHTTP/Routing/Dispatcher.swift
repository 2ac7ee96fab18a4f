import DiaryCore
import FoundationEssentials
package import HTTPListener
import HTTPTypes
package import HummingbirdCore
package import Logging
import NIOCore

/// Finds the route of a request, runs it, and gives every answer its common fields and its one log line.
package struct Dispatcher: HTTPApplication {
    let table: RouteTable
    let environment: RequestEnvironment
    let logger: Logger
    let gate: RateGate
    private let dates: DateHeader
    let crossOrigin: CrossOrigin

    package init(table: RouteTable, environment: RequestEnvironment, logger: Logger) {
        self.table = table
        self.environment = environment
        self.logger = logger
        dates = DateHeader(environment.clock)
        crossOrigin = CrossOrigin(environment: environment)
        gate = RateGate(limiter: environment.limiter, key: environment.subjectKey)
    }

    package func respond(to request: Request, on connection: RequestConnection) async -> Response {
        var response = await answer(request, on: connection)
        response.headers[.date] = dates.text
        return response
    }

    private func answer(_ request: Request, on connection: RequestConnection) async -> Response {
        let started = ContinuousClock.now
        let now = environment.clock.now()
        let requestID = RequestID.choose(request.headers, at: now)
        let trace = FieldNames.traceParent.flatMap { request.headers[$0] }.flatMap { TraceParent($0) }

        let tenant = RequestTenant()
        let (path, query) = Self.split(request.head.path ?? "/")
        var template = "-"
        var outcome: Route.Outcome
        switch table.match(request.method, path: path) {
        case .found(let route, let parameters):
            template = route.template
            let exchange = Exchange(
                method: request.method, template: template, tokenAccess: route.tokenAccess, rawPath: path,
                parameters: parameters, rawQuery: query,
                headers: request.headers, authority: request.head.authority, body: body(of: request, limit: route.bodyLimit, connection),
                requestID: requestID, trace: trace, tenant: tenant, peer: connection.peer, now: now,
                connectionLogger: logger, environment: environment, connection: connection)
            outcome = await route.run(exchange, gate)
            outcome.isOfSentToken = route.takesToken && request.headers[.authorization] != nil
        case .otherMethod(let known, let allow):
            template = known
            outcome =
                request.method == .options
                ? .init(result: .success(await crossOrigin.options(request.headers, allow: allow)))
                : .init(result: .failure(DiaryError(.methodNotAllowed, detail: "The address takes \(allow).")))
            return await finish(
                outcome, request, template: template, requestID: requestID, trace: trace, tenant: tenant, allow: allow, started: started)
        case .nothing:
            outcome =
                request.method == .options && path == "*"
                ? .init(result: .success(Reply.noContent.with(.allow, Self.everyMethod)))
                : .init(result: .failure(.notFound))
        case .malformed:
            outcome = .init(result: .failure(DiaryError(.malformedRequest, detail: "The path is not percent-encoded UTF-8.")))
        }
        return await finish(
            outcome, request, template: template, requestID: requestID, trace: trace, tenant: tenant, allow: nil, started: started)
    }

    private func body(of request: Request, limit: Int64?, _ connection: RequestConnection) -> IncomingBody {
        let isChunked = request.headers[.transferEncoding] != nil
        let expected = request.headers[.contentLength].flatMap { Int64($0) } ?? (isChunked ? nil : 0)
        let waitsForContinue = request.headers[.expect]?.lowercased() == "100-continue"
        return IncomingBody(request.body, expected: expected, limit: limit ?? Int64(environment.limits.jsonBytes)) {
            if waitsForContinue { connection.sendContinue() }
        } onCollect: {
            connection.limitCollection()
        }
    }

    /// Adds the common fields, handles HEAD and writes the log line; a stream is logged at its end.
    private func finish(
        _ outcome: Route.Outcome, _ request: Request, template: String, requestID: String, trace: TraceParent?, tenant: RequestTenant,
        allow: String?, started: ContinuousClock.Instant
    ) async -> Response {
        var record = RequestRecord(method: request.method.rawValue, template: template, status: 200, milliseconds: 0, bytes: 0)
        var reply: Reply
        switch outcome.result {
        case .success(let success): reply = success
        case .failure(let error):
            if ExportLinkPage.shows(template, path: Self.split(request.head.path ?? "/").path, to: request.headers) {
                let docs = template == "-" ? PublicPrefix(environment.publicURL).path("/docs") : nil
                reply = ExportLinkPage.refusal(
                    error, requestID: requestID, docs: docs, in: PageLanguage.accepted(request.headers) ?? .en)
            } else {
                reply = Problem.reply(error, requestID: requestID, publicURL: environment.publicURL)
                if error.code == .unauthorized, outcome.isOfSentToken { reply.headers[.wwwAuthenticate] = Problem.invalidToken }
            }
        }
        record.code = reply.error?.code.rawValue
        record.cause = reply.error?.cause
        RateGate.announce(outcome.verdicts, in: &reply.headers)
        if let allow { reply.headers[.allow] = allow }
        Self.addCommonFields(&reply.headers, requestID: requestID)
        await crossOrigin.mark(&reply.headers, of: tenant.id, to: request.headers)
        record.status = reply.status.code

        let logger = logger
        let report: @Sendable (Int64) -> Void = { [record] bytes in
            var record = record
            record.bytes = bytes
            record.milliseconds = Double((ContinuousClock.now - started) / .microseconds(1)) / 1000
            guard record.level >= logger.logLevel else { return }
            record.log(to: RequestRecord.logger(logger, requestID: requestID, trace: trace, tenant: tenant.id))
        }
        guard case .stream(let stream, let length) = reply.body, request.method != .head else {
            return whole(reply, isHead: request.method == .head, report)
        }
        if let length { reply.headers[.contentLength] = String(length) }
        let body = ResponseBody(contentLength: length.flatMap { Int(exactly: $0) }) { writer in
            var sent: Int64 = 0
            defer { report(sent) }
            var next = try await stream.next()
            while let piece = next {
                // What a connection holds counts against all that wait for slow readers (`ListenerLimits.answerBytes`).
                let first = min(Self.writtenAtOnce, piece.count)
                try await writer.write(ByteBuffer(bytes: piece[..<first]))
                sent += Int64(first)
                // Read while the client takes the rest: one that takes nothing is not read ahead for.
                async let following = stream.next()
                for start in stride(from: first, to: piece.count, by: Self.writtenAtOnce) {
                    let end = min(start + Self.writtenAtOnce, piece.count)
                    try await writer.write(ByteBuffer(bytes: piece[start..<end]))
                    sent += Int64(end - start)
                }
                next = try await following
            }
            // Fewer bytes than announced: the connection must break, or the client would read the next answer as the rest of this one.
            if let length, sent != length { throw DiaryError(.internalError, cause: "stream ended early") }
            try await writer.finish(nil)
        }
        return Response(status: reply.status, headers: reply.headers, body: body)
    }

    private func whole(_ reply: Reply, isHead: Bool, _ report: (Int64) -> Void) -> Response {
        var headers = reply.headers
        let hasBody = reply.status.code >= 200 && reply.status != .noContent && reply.status != .notModified
        if hasBody, let length = reply.length { headers[.contentLength] = String(length) }
        guard !isHead, hasBody, case .bytes(let buffer) = reply.body else {
            report(0)
            return Response(status: reply.status, headers: headers)
        }
        report(Int64(buffer.readableBytes))
        return Response(status: reply.status, headers: headers, body: ResponseBody(byteBuffer: buffer))
    }

    /// Bytes of a stream that wait in a connection at a time.
    private static let writtenAtOnce = 64 << 10

    /// The methods of all operations together.
    static let everyMethod = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"

    /// No caching unless a handler allows it, and the security fields of every answer (decision D14).
    static func addCommonFields(_ headers: inout HTTPFields, requestID: String) {
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        if let name = FieldNames.requestID { headers[name] = requestID }
        if let name = FieldNames.noSniff { headers[name] = "nosniff" }
        if let name = FieldNames.referrerPolicy { headers[name] = "no-referrer" }
    }

    private static func split(_ target: String) -> (path: String, query: String?) {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, nil) }
        return (String(target[..<mark]), String(target[target.utf8.index(after: mark)...]))
    }
}
