/// What a check of the bucket found.
package struct BucketFinding: Sendable, Equatable {
    package enum State: String, Sendable {
        case ok
        /// It works, and something is better otherwise.
        case warning
        /// Recordings would not be stored, not be deleted, or be open to others.
        case fault
        /// The service or the key's rights do not tell.
        case unknown
    }

    package enum Check: String, Sendable, CaseIterable {
        case bucket, clock, rights, overwriting, uploads, access, versions, lifecycle, crossOrigin = "cors"
    }

    package let check: Check
    package let state: State
    /// For people: what is wrong and what helps.
    package let detail: String

    init(_ check: Check, _ state: State, _ detail: String) {
        self.check = check
        self.state = state
        self.detail = detail
    }
}
