package import CurlTransfer
package import DiaryCore
package import DiaryCrypto
import FoundationEssentials
import Synchronization
import WireFormats

/// Requests to one engine's OpenAI-compatible server.
///
/// - Only to the host of `EngineSettings.url`, over http or https, without redirects; a private or loopback address only where the
///   installation allows it (F9). The address is checked after the name was resolved.
/// - An answer is limited in size and time, and so is the time for a connection.
/// - Nothing of a request or an answer is logged or kept.
package struct OpenAIClient: Sendable {
    let settings: EngineSettings
    let key: SecretBytes?
    let transfers: CurlTransfers
    /// The base URL without a slash at its end, and where it leads; nil: it cannot be used.
    let base: String
    let target: AllowedHost?
    var limits = Limits()

    struct Limits: Sendable {
        /// A transcript of four hours with a time for each word has about 4 MiB.
        var answerBytes = 16 << 20
        /// Only its error's code is read.
        var refusalBytes = 64 << 10
        var connect: Duration = .seconds(10)
        /// From the answer's head on; some servers send it early, and blank space while they work.
        var grace: Duration = .seconds(30)
        /// Bytes a second after that.
        var rate = 64
    }

    /// - Parameters:
    ///   - settings: of an engine of kind `openai`.
    ///   - key: sent as bearer token; nil sends none.
    ///   - transfers: may name no hosts at all; each request names its own.
    package init(_ settings: EngineSettings, key: SecretBytes?, transfers: CurlTransfers, allowsPrivateHosts: Bool) {
        self.settings = settings
        self.key = key
        self.transfers = transfers
        var base = settings.url ?? ""
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        let target = AllowedHost(of: base, mayBePrivate: allowsPrivateHosts)
        self.target = target?.scheme == .http || target?.scheme == .https ? target : nil
    }

    /// A server on this machine.
    /// - Parameter socket: the path of its Unix socket, of the installation's settings: an app's engine never names one.
    package init(_ settings: EngineSettings, socket: String, transfers: CurlTransfers) {
        self.settings = settings
        key = nil
        self.transfers = transfers
        base = "http://localhost/v1"
        target = AllowedHost(.http, "localhost", socket: socket)
    }

    /// - Parameters:
    ///   - path: below the base URL, e.g. `/chat/completions`.
    ///   - json: a whole document.
    /// - Returns: the body of an answer of status 2xx, at most 16 MiB. It may be anything: see `object`.
    package func post(_ path: String, json: [UInt8]) async throws(ProviderFailure) -> [UInt8] {
        try await post(path, contentType: "application/json", .bytes(json))
    }

    /// The same with a form; its file is read while it is sent.
    package func post(_ path: String, form: [FormPart]) async throws(ProviderFailure) -> [UInt8] {
        guard let body = FormBody(form) else { throw OpenAIFault.failure(.unreadableFile, stage: settings.stage) }
        let reader = FormReader(body)
        return try await post(path, contentType: body.contentType, .stream(length: Int64(body.length)) { try reader.next() })
    }

    /// The JSON of an answer.
    /// - Throws: `permanent` for anything else, such as a proxy's page.
    func value(_ answer: [UInt8]) throws(ProviderFailure) -> JSONValue {
        switch LenientJSON.value(answer) {
        case .object(let object)?: return .object(object)
        case .array(let values)?: return .array(values)
        case .string(let text)?: return .string(text)
        default: throw OpenAIFault.malformed(settings.stage)
        }
    }

    private func post(_ path: String, contentType: String, _ body: RequestBody) async throws(ProviderFailure) -> [UInt8] {
        guard let target else {
            throw OpenAIFault.failure(.notAllowed, stage: settings.stage)
        }
        var headers = [(name: "Content-Type", value: contentType), (name: "Accept", value: "application/json")]
        if let key {
            let bytes = key.bytes()
            guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw ProviderFailure(.configuration, code: .engineRefused, cause: "the key cannot be written into a header").fromEngine
            }
            headers.append((name: "Authorization", value: "Bearer \(String(decoding: bytes, as: UTF8.self))"))
        }
        // No limit on silence beside the total: a server is silent for as long as it listens to a recording.
        let total = Duration.seconds(max(1, settings.timeoutSeconds))
        return try await answer(
            TransferRequest(
                .post, base + path, headers: headers, body: body,
                deadlines: TransferDeadlines(connect: min(limits.connect, total), total: total, stall: total + .seconds(1)), target: target)
        )
    }

    private func answer(_ request: TransferRequest) async throws(ProviderFailure) -> [UInt8] {
        let progress = AnswerProgress()
        let race = await withTaskGroup(of: Result<Answer, OpenAIFault.Loss>?.self) { group in
            group.addTask { await collect(request, progress) }
            group.addTask { await isTooSlow(progress) ? .failure(.tooSlow) : nil }
            var first: Result<Answer, OpenAIFault.Loss>?
            while first == nil, let next = await group.next() { first = next }
            group.cancelAll()
            return first ?? .failure(.cancelled)
        }
        switch race {
        case .failure(let loss): throw OpenAIFault.failure(loss, stage: settings.stage)
        case .success(let answer):
            let failure = OpenAIFault.failure(
                status: answer.status, code: answer.code, parameter: answer.parameter, flagsInput: answer.flagsInput,
                retryAfter: answer.retryAfter, stage: settings.stage)
            if answer.refusesFormat, let failure, failure.treatment != .retry { throw OpenAIFault.formatRefused(settings.stage) }
            if let failure { throw failure }
            return answer.body
        }
    }

    /// Ends with the task.
    private func isTooSlow(_ progress: AnswerProgress) async -> Bool {
        while (try? await Task.sleep(for: min(.seconds(1), limits.grace))) != nil {
            if progress.isTooSlow(at: .now, grace: limits.grace, rate: limits.rate) { return true }
        }
        return false
    }

    private func collect(_ request: TransferRequest, _ progress: AnswerProgress) async -> Result<Answer, OpenAIFault.Loss> {
        do {
            return .success(
                try await transfers.withResponse(request) { head, body in
                    progress.headCame()
                    let isResult = (200..<300).contains(head.status)
                    let limit = isResult ? limits.answerBytes : limits.refusalBytes
                    var bytes: [UInt8] = []
                    do {
                        for try await chunk in body {
                            guard chunk.count <= limit - bytes.count else { throw TransferError.tooLarge }
                            bytes += chunk
                            progress.received(chunk.count)
                        }
                    } catch  where !isResult && !Task.isCancelled {
                        // The status alone decides.
                    }
                    return Answer(head, bytes, isResult: isResult)
                })
        } catch let error as TransferError {
            return .failure(OpenAIFault.Loss(error))
        } catch {
            return .failure(.cancelled)
        }
    }

    private struct Answer: Sendable {
        let status: Int
        let retryAfter: Double?
        /// Of the error object.
        let code: String?
        let parameter: String?
        /// It says that the request's content was flagged: OpenRouter by `metadata`, which repeats the content and is not kept.
        let flagsInput: Bool
        /// It names `response_format` as what is wrong with the request.
        let refusesFormat: Bool
        /// Empty unless it is a result.
        let body: [UInt8]

        init(_ head: ResponseHead, _ bytes: [UInt8], isResult: Bool) {
            status = head.status
            retryAfter = head.header("retry-after").flatMap { RetryAfter.seconds($0, at: Date()) }
            let error = isResult ? nil : LenientJSON.value(bytes)?.object?["error"]?.object
            code = error?["code"]?.string ?? error?["type"]?.string
            parameter = error?["param"]?.string
            let metadata = error?["metadata"]?.object
            let words = [error?["code"]?.string, error?["type"]?.string].compactMap { $0 }
            flagsInput =
                metadata?["flagged_input"]?.string != nil || metadata?["reasons"]?.array?.isEmpty == false
                || !OpenAIFault.flags.isDisjoint(with: words)
            refusesFormat =
                [400, 404, 415, 422, 501].contains(head.status)
                && (error?["param"]?.string?.hasPrefix("response_format") == true
                    || String(decoding: bytes, as: UTF8.self).contains("response_format"))
            body = isResult ? bytes : []
        }
    }
}

extension OpenAIFault.Loss {
    init(_ error: TransferError) {
        self =
            switch error {
            case .timedOut: .timedOut
            case .couldNotConnect: .notConnected
            case .tls: .notSecured
            case .protocol: .cut
            case .tooLarge: .tooLarge
            case .notAllowed: .notAllowed
            case .bodyFailed: .unreadableFile
            case .cancelled: .cancelled
            }
    }
}

/// Tells an answer that comes too slowly. Before its head nothing is measured: the server may still be processing.
final class AnswerProgress: Sendable {
    private let state = Mutex<(headAt: ContinuousClock.Instant, bytes: Int)?>(nil)

    func headCame(at now: ContinuousClock.Instant = .now) { state.withLock { $0 = (now, 0) } }
    func received(_ bytes: Int) { state.withLock { $0?.bytes += bytes } }

    /// After `grace` from its head on, an answer has had `rate` bytes in each second since.
    func isTooSlow(at now: ContinuousClock.Instant, grace: Duration, rate: Int) -> Bool {
        guard let (headAt, bytes) = state.withLock({ $0 }) else { return false }
        let late = headAt.duration(to: now) - grace
        return late > .zero && Double(bytes) < Double(rate) * (late / .seconds(1))
    }
}
