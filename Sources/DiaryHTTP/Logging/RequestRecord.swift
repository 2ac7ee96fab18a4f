import DiaryCore
import FoundationEssentials
import HTTPTypes
import Logging
import Synchronization

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

/// The id of a request in answers and logs: the client's own when it is well-formed, otherwise a new UUIDv7.
enum RequestID {
    static func choose(_ headers: HTTPFields, at now: Date) -> String {
        guard let name = FieldNames.requestID else { return make(at: now) }
        let values = headers[values: name]
        guard values.count == 1, let value = values.first, isWellFormed(value) else { return make(at: now) }
        return value
    }

    static func make(at now: Date) -> String { UUIDv7.make(at: now).lowercaseText }

    /// `^[A-Za-z0-9._-]{8,64}$`.
    static func isWellFormed(_ text: String) -> Bool {
        (8...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// The app of a request, for its log lines. Known once its access token, its signed address or `Diary-App` has named it.
package final class RequestTenant: Sendable {
    private let known = Mutex<TenantID?>(nil)

    var id: TenantID? { known.withLock { $0 } }

    func learn(_ tenant: TenantID) { known.withLock { $0 = tenant } }
}

/// `traceparent` (W3C Trace Context, version 00): `00-<32 hex>-<16 hex>-<2 hex>`, lower case, ids not all zero.
package struct TraceParent: Sendable, Equatable {
    package let traceID: String
    package let parentID: String

    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "00", parts[1].utf8.count == 32, parts[2].utf8.count == 16, parts[3].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) } }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        traceID = String(parts[1])
        parentID = String(parts[2])
    }
}
