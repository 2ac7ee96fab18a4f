/// Why a transfer did not happen or did not finish. Cases and codes only: no URL, address, credential, header or body.
package enum TransferError: Error, Sendable, Hashable {
    /// A host, scheme, port or address that the configuration does not name, or a request that cannot be written safely.
    case notAllowed
    /// No name, no route, refused, or lost before anything was answered.
    case couldNotConnect
    /// Certificate, protocol version, or TLS that was asked for and not given.
    case tls
    /// One of the request's deadlines passed.
    case timedOut
    /// More header or body than the caller wanted.
    case tooLarge
    /// The task was cancelled, or the transfers are closed.
    case cancelled
    /// The request's body threw, or had another length than it promised.
    case bodyFailed
    /// The other side broke the protocol, or the connection broke; libcurl's own number (`curl_easy_strerror`).
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
