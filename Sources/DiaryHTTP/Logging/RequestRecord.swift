import DiaryCore
import Logging

/// A finished request without private data: the template instead of the path, and no query.
struct RequestRecord: Sendable, Equatable {
    var method: String
    /// `-` when no route matched.
    var template: String
    var status: Int
    /// From the catalogue, for errors.
    var code: String?
    /// For the log only.
    var cause: String?
    var milliseconds: Double
    /// Bytes of the answer's body.
    var bytes: Int64

    var level: Logger.Level { status == 500 ? .error : status > 500 ? .warning : .info }

    /// With the fields that all lines of one request have.
    static func logger(_ logger: Logger, requestID: String, trace: TraceParent?, tenant: TenantID? = nil) -> Logger {
        var logger = logger
        logger[metadataKey: "request_id"] = "\(requestID)"
        if let trace { logger[metadataKey: "trace_id"] = "\(trace.traceID)" }
        if let tenant { logger[metadataKey: "tenant"] = "\(tenant)" }
        return logger
    }

    /// One line: 500 is an error, the other 5xx are warnings, the rest is information.
    func log(to logger: Logger) {
        var metadata: Logger.Metadata = [
            "method": "\(method)", "route": "\(template)", "status": .stringConvertible(status),
            "duration_ms": .stringConvertible((milliseconds * 100).rounded() / 100), "bytes": .stringConvertible(bytes),
        ]
        if let code { metadata["code"] = "\(code)" }
        if let cause { metadata["cause"] = "\(cause)" }
        logger.log(level: level, "request", metadata: metadata)
    }
}
