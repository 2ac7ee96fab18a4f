/// Why a transfer failed. Cases and codes only: no URL, address, credential, header or body.
package enum TransferError: Error, Sendable, Hashable {
    /// A host, scheme, port or address that the configuration does not name, or a request that cannot be written safely.
    case notAllowed
    /// Name not found, no route, refused, or lost before any response.
    case couldNotConnect
    /// Bad certificate or protocol version, or required TLS that was not offered.
    case tls
    /// A deadline of the request passed.
    case timedOut
    /// Headers or body over the limit.
    case tooLarge
    /// The task was cancelled, or the transfers are closed.
    case cancelled
    /// The request's body threw, or did not have its stated length.
    case bodyFailed
    /// The peer broke the protocol, or the connection was lost; libcurl's code (`curl_easy_strerror`).
    case `protocol`(Int32)
}

extension TransferError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAllowed: "not allowed"
        case .couldNotConnect: "could not connect"
        case .tls: "TLS failed"
        case .timedOut: "timed out"
        case .tooLarge: "too large"
        case .cancelled: "cancelled"
        case .bodyFailed: "the request's body failed"
        case .protocol(let code): "protocol error \(code)"
        }
    }
}
