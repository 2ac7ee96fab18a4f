/// An error: the client's part and, separate from it, the log's. Neither holds diary text, an address, a token or a link.
package struct DiaryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One field that is not acceptable.
    package struct Field: Sendable, Equatable {
        /// RFC 6901 pointer into the body; or `query/<name>`, or `header/<name>` in lower case. `query` alone is the query as a whole.
        package var pointer: String
        package var detail: String

        package init(_ pointer: String, _ detail: String) {
            self.pointer = pointer
            self.detail = detail
        }
    }

    /// Bytes that the account stores, and the most that it may.
    package struct Storage: Sendable, Equatable {
        package var bytes: Int64
        package var maxBytes: Int64

        package init(bytes: Int64, maxBytes: Int64) {
            self.bytes = bytes
            self.maxBytes = maxBytes
        }
    }

    package var code: ErrorCode
    /// A sentence in addition to the code's title: constant, but for what the request itself had.
    package var detail: String?
    package var fields: [Field]
    /// Seconds, for 429 and 503.
    package var retryAfter: Int?
    /// The entry that stands in the way, of the same account.
    package var entry: EntryID?
    /// With `storageExceeded`.
    package var storage: Storage?
    /// For the log only: kinds, SQLSTATEs, numbers.
    package var cause: String?

    package init(
        _ code: ErrorCode, detail: String? = nil, fields: [Field] = [], retryAfter: Int? = nil, entry: EntryID? = nil, cause: String? = nil
    ) {
        self.code = code
        self.detail = detail
        self.fields = fields
        self.retryAfter = retryAfter
        self.entry = entry
        self.cause = cause
    }

    package var description: String { cause.map { "\(code.rawValue) (\($0))" } ?? code.rawValue }

    package static let notFound = DiaryError(.notFound)
    package static let unauthorized = DiaryError(.unauthorized)

    package static func invalid(_ pointer: String, _ detail: String) -> DiaryError {
        DiaryError(.invalidFields, fields: [Field(pointer, detail)])
    }

    /// 503 with a jittered Retry-After of 1 … 5 seconds, so that clients do not come back all at once (A5).
    package static func unavailable(cause: String) -> DiaryError {
        DiaryError(.unavailable, retryAfter: Int.random(in: 1...5), cause: cause)
    }
}
