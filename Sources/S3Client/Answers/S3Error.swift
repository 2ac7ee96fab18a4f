package import CurlTransfer

/// Why a request failed, by status and `Code`: messages may be empty and are never read. Holds no key, URL or credential.
package struct S3Error: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case missing
        case noBucket
        case noUpload
        /// A condition does not hold: the object is there already.
        case exists
        /// The service does not know the operation or one of its fields (501).
        case unsupported
        case denied
        /// This machine's clock and the service's differ by so many seconds; positive when this one is ahead.
        case clock(seconds: Int)
        /// The bytes that arrived are not those that were announced.
        case damagedBody
        case rangeNotSatisfiable
        /// Any other refusal: the same request would be refused again.
        case refused
        /// 5xx, 429, or told to slow down.
        case unavailable
        /// An answer that is none of S3's, or that is cut.
        case unreadable
        case transfer(TransferError)
    }

    /// The operation's name in S3.
    package let operation: String
    package let reason: Reason
    /// 0 without an answer.
    package let status: Int
    /// The code of the error document; empty when there is none.
    package let code: String
    /// Of the bucket; nil where the answer does not say.
    package let region: String?

    init(_ operation: String, _ reason: Reason, status: Int = 0, code: String = "", region: String? = nil) {
        self.region = region
        self.operation = operation
        self.reason = reason
        self.status = status
        self.code = code
    }

    /// Sent again, it may succeed.
    package var isTransient: Bool {
        switch reason {
        case .unavailable, .unreadable, .damagedBody: true
        case .transfer(.couldNotConnect), .transfer(.timedOut), .transfer(.protocol): true
        default: false
        }
    }
}

extension S3Error: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .transfer(let error): "\(operation): \(error)"
        case .clock(let seconds): "\(operation): \(status) \(code), clocks differ by \(seconds) s"
        default: "\(operation): \(status) \(code)"
        }
    }
}
