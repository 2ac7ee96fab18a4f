import CurlTransfer
import DiaryCrypto
import WireFormats

/// One operation on the bucket or on an object, before it is signed.
struct S3Request: Sendable {
    /// The operation's name in S3, for logs and errors.
    let operation: String
    var method: TransferRequest.Method
    /// Nil for the bucket.
    var key: String?
    /// Decoded; a nil value is a name alone, such as `uploads`.
    var query: [(name: String, value: String?)] = []
    /// Signed, all of them.
    var headers: [(name: String, value: String)] = []
    var body = Body.none
    /// The server may work on it for long before it answers.
    var isSlow = false
    /// Not signed: an anonymous request.
    var isAnonymous = false

    enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Sent once: its bytes cannot be had again.
        case stream(length: Int64, next: @Sendable () async throws -> [UInt8]?)

        var isRepeatable: Bool { if case .stream = self { false } else { true } }

        var payloadHash: String {
            switch self {
            case .none: SigV4Request.emptyPayload
            case .bytes(let bytes): Hex.encode(SHA256.digest(bytes))
            case .stream: SigV4Request.unsignedPayload
            }
        }

        var transferred: RequestBody {
            switch self {
            case .none: .none
            case .bytes(let bytes): .bytes(bytes)
            case .stream(let length, let next): .stream(length: length, next: next)
            }
        }
    }

    var queryText: String { Self.text(query) }

    static func text(_ query: [(name: String, value: String?)]) -> String {
        query.map { "\(PercentEncoding.encode($0.name.utf8))=\(PercentEncoding.encode(($0.value ?? "").utf8))" }.joined(separator: "&")
    }

    /// Adds `Content-MD5`: every server checks it, which is not so for newer checksums.
    mutating func addContentMD5() {
        guard case .bytes(let bytes) = body, let digest = MD5.digest(bytes) else { return }
        headers.append((name: "Content-MD5", value: Base64.encode(digest)))
    }
}
