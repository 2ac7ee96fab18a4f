import CurlTransfer
package import FoundationEssentials
package import Logging
import WireFormats

/// Requests to one bucket of any S3-compatible service.
///
/// Signed by header (SigV4); decided by status and `Code`; what may succeed is sent again (`S3Retries`). Each failure is logged with its
/// operation, status and code, without keys.
package struct S3Client: Sendable {
    package let configuration: S3Configuration
    private let transfers: CurlTransfers
    private let logger: Logger
    private let budget = RetryBudget()
    private let now: @Sendable () -> Date
    let today = SigV4Today()

    package init(
        _ configuration: S3Configuration, logger: Logger, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(S3Error) {
        self.configuration = configuration
        self.logger = logger
        self.now = now
        do throws(TransferError) {
            transfers = try CurlTransfers(
                TransferConfiguration(
                    hosts: Array(Set([configuration.bucket.target, configuration.publicBucket.target])),
                    certificateFile: configuration.certificateFile, maximumConnections: configuration.maximumConnections),
                name: "curl-s3")
        } catch {
            throw S3Error("start", .transfer(error))
        }
    }

    /// Ends running requests after `grace`, and the thread that carries them.
    package func close(within grace: Duration) async { await transfers.close(within: grace) }

    /// Sends until it is answered or no further try is worth it.
    /// - Parameters:
    ///   - maximumBytes: of the answer's body.
    ///   - read: given an answer with a status of success. What it cannot read counts as a failed try.
    func send<Value: Sendable>(
        _ request: S3Request, maximumBytes: Int = 64 * 1024, read: (CollectedResponse) throws(S3Error) -> Value
    ) async throws(S3Error) -> Value {
        let retries = configuration.retries
        let start = ContinuousClock.now
        var tried = 0
        while true {
            tried += 1
            let failure: Failure
            switch await once(request, maximumBytes, read) {
            case .value(let value):
                budget.succeeded()
                return value
            case .failure(let found): failure = found
            }
            let error = failure.error
            let mayRepeat =
                error.isTransient && request.body.isRepeatable && tried < retries.tries
                && start.duration(to: .now) < retries.within && !Task.isCancelled && budget.take()
            log(error, tried: tried, isLast: !mayRepeat)
            guard mayRepeat else { throw error }
            try? await Task.sleep(for: retries.delay(after: tried, asked: failure.asked))
            if Task.isCancelled { throw S3Error(request.operation, .transfer(.cancelled)) }
        }
    }

    /// Sends what a presigned URL permits, once.
    func sendPresigned(_ upload: S3Presigned, _ bytes: [UInt8]) async throws(S3Error) {
        let name = "PresignedPut"
        let request = TransferRequest(.put, upload.url, headers: upload.headers, body: .bytes(bytes))
        let answer: CollectedResponse
        do { answer = try await transfers.collect(request, maximumBytes: 64 * 1024) } catch { throw S3Error(name, .transfer(error)) }
        guard (200..<300).contains(answer.status) else { throw S3Error(name, answer.head, answer.body, at: now()) }
    }

    private struct Failure {
        let error: S3Error
        /// `Retry-After`.
        var asked: Duration?
    }

    private enum Outcome<Value> {
        case value(Value)
        case failure(Failure)
    }

    private func once<Value>(
        _ request: S3Request, _ maximumBytes: Int, _ read: (CollectedResponse) throws(S3Error) -> Value
    ) async -> Outcome<Value> {
        let answer: CollectedResponse
        do { answer = try await transfers.collect(transfer(request), maximumBytes: maximumBytes) } catch {
            return .failure(Failure(error: S3Error(request.operation, .transfer(error))))
        }
        do throws(S3Error) {
            guard (200..<300).contains(answer.status) else { throw S3Error(request.operation, answer.head, answer.body, at: now()) }
            return .value(try read(answer))
        } catch {
            return .failure(Failure(error: error, asked: Self.retryAfter(answer.head)))
        }
    }

    private func transfer(_ request: S3Request) -> TransferRequest {
        let bucket = configuration.bucket
        let (path, query) = (bucket.path(of: request.key), request.queryText)
        var headers = request.headers
        if !request.isAnonymous {
            headers = SigV4.authorized(
                SigV4Request(
                    method: request.method.rawValue, path: path, query: query,
                    headers: request.headers + [(name: "Host", value: bucket.host)], payloadHash: request.body.payloadHash),
                by: configuration.credentials, date: AmzDate(now()), region: configuration.region, service: "s3", addingPayloadHash: true
            ).headers.filter { $0.name != "Host" }
        }
        return TransferRequest(
            request.method, "\(bucket.origin)\(path)\(query.isEmpty ? "" : "?\(query)")", headers: headers, body: request.body.transferred,
            deadlines: deadlines(of: request))
    }

    private func deadlines(of request: S3Request) -> TransferDeadlines {
        let total: Duration =
            switch request.body {
            case .none: request.isSlow ? .seconds(600) : .seconds(60)
            case .bytes: request.isSlow ? .seconds(600) : .seconds(300)
            case .stream: .seconds(6 * 3_600)
            }
        return TransferDeadlines(
            connect: .seconds(5), total: total, stall: request.isSlow ? max(configuration.stall, .seconds(120)) : configuration.stall)
    }

    /// - Parameter isLast: no further try follows.
    private func log(_ error: S3Error, tried: Int, isLast: Bool) {
        switch error.reason {
        // Answers that callers ask for.
        case .missing, .exists, .noUpload, .rangeNotSatisfiable, .unsupported, .transfer(.cancelled), .transfer(.bodyFailed): return
        default: break
        }
        logger.warning(
            isLast ? "S3 request failed" : "S3 request failed, is sent again",
            metadata: ["cause": "\(error)", "reason": "\(error.reason.word)", "tried": .stringConvertible(tried)])
    }

    private static func retryAfter(_ head: ResponseHead) -> Duration? {
        head.header("retry-after").flatMap(Int.init).flatMap { (0...3_600).contains($0) ? .seconds($0) : nil }
    }
}

extension S3Error.Reason {
    fileprivate var word: String {
        switch self {
        case .clock: "clock"
        case .transfer: "connection"
        default: "\(self)"
        }
    }
}
