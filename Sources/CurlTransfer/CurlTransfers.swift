/// HTTP requests and SMTP deliveries over libcurl's multi interface on one thread of its own.
///
/// - Only to the configured hosts, or the one that a request names in their place, resolved to public addresses unless the host may be private; no redirects, cookies,
///   netrc or environment proxies; TLS 1.2 or later and always verified.
/// - HTTP/1.1; bodies stream in both directions with back-pressure; each transfer has its deadlines.
/// - Cancelling the task ends the transfer.
///
/// Mail needs an instance of its own: the QUIT of a mail connection blocks the thread until it is answered.
package final class CurlTransfers: Sendable {
    private let configuration: TransferConfiguration
    private let loop: MultiLoop

    /// - Parameter name: of the thread, at most 15 bytes.
    package init(_ configuration: TransferConfiguration, name: String = "curl") throws(TransferError) {
        self.configuration = configuration
        loop = try MultiLoop(configuration, name: name)
    }

    deinit { loop.close(by: .now) }

    /// Runs the request and passes its response to `use` once the head has arrived. The transfer ends with the scope.
    ///
    /// Any status is a response. The request's body is sent concurrently with `use`, which may read before all of it is sent.
    /// - Throws: `TransferError`, or what `use` throws.
    package func withResponse<Value: Sendable>(
        _ request: TransferRequest, _ use: (ResponseHead, ResponseBody) async throws -> Value
    ) async throws -> Value {
        try await withResponse(request, maximumBytes: nil, use)
    }

    /// - Parameter maximumBytes: a longer body is `tooLarge`.
    package func collect(_ request: TransferRequest, maximumBytes: Int) async throws(TransferError) -> CollectedResponse {
        do {
            return try await withResponse(request, maximumBytes: maximumBytes) { head, chunks in
                var body: [UInt8] = []
                for try await chunk in chunks {
                    guard chunk.count <= maximumBytes - body.count else { throw TransferError.tooLarge }
                    body += chunk
                }
                return CollectedResponse(head: head, body: body)
            }
        } catch let error as TransferError {
            throw error
        } catch {
            throw .cancelled
        }
    }

    /// Handles in the multi handle.
    package var runningCount: Int { loop.runningCount }

    /// Refuses new requests, waits for running ones, ends the rest after `grace`, and returns when the thread has ended.
    package func close(within grace: Duration) async {
        loop.close(by: .now + grace)
        await loop.isOver()
    }

    private func withResponse<Value: Sendable>(
        _ request: TransferRequest, maximumBytes: Int?, _ use: (ResponseHead, ResponseBody) async throws -> Value
    ) async throws -> Value {
        let transfer = Transfer(try plan(request, maximumBytes: maximumBytes), body: request.body, loop: loop)
        return try await running(transfer, request.body) {
            let head = try await transfer.responseHead()
            return try await use(head, ResponseBody(transfer: transfer))
        }
    }

    private func running<Value: Sendable>(_ transfer: Transfer, _ body: RequestBody, _ use: () async throws -> Value) async throws -> Value
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if case .stream(let length, let next) = body {
                group.addTask { await transfer.feed(length: length, next) }
            }
            transfer.start()
            // Also ends the task that sends the body.
            defer {
                transfer.cancel()
                group.cancelAll()
            }
            return try await use()
        }
    }

    private func plan(_ request: TransferRequest, maximumBytes: Int?) throws(TransferError) -> TransferPlan {
        let url = try CurlURL(request.url, allowed: request.target.map { [$0] } ?? configuration.hosts)
        guard url.target.scheme == .http || url.target.scheme == .https else { throw .notAllowed }
        var lines: [String] = []
        for (name, value) in request.headers {
            guard let line = HeaderField.line(name, value) else { throw .notAllowed }
            lines.append(line)
        }
        guard lines.count <= 64, let agent = HeaderField.line("User-Agent", configuration.userAgent) else { throw .notAllowed }
        if !request.headers.contains(where: { $0.name.lowercased() == "user-agent" }) { lines.append(agent) }
        if !request.headers.contains(where: { $0.name.lowercased() == "accept" }) { lines.append("Accept: */*") }
        let hasBody: Bool
        switch (request.method, request.body) {
        case (.get, .none), (.head, .none), (.delete, .none): hasBody = false
        case (.get, _), (.head, _): throw .notAllowed
        default: hasBody = true
        }
        return TransferPlan(
            url: url, deadlines: request.deadlines, isAlone: request.target != nil,
            kind: .http(
                method: request.method, headers: lines, bodyLength: request.body.length, hasBody: hasBody,
                isRepeatable: request.isRepeatable, maximumBytes: request.method == .head ? nil : maximumBytes))
    }

    /// Delivers one message to a mail server. - Throws: `notAllowed` before anything is sent, or `cancelled`.
    package func deliver(_ delivery: SMTPDelivery) async throws(TransferError) -> SMTPOutcome {
        let transfer = Transfer(try delivery.plan(allowed: configuration.hosts), body: .bytes(delivery.message), loop: loop)
        transfer.start()
        let end = await transfer.outcome()
        if end.error == .cancelled { throw .cancelled }
        return SMTPOutcome(end)
    }
}
