/// The lease went to another worker, or the owner's key or entry is gone: nothing was written, and the caller has nothing to do.
package enum WorkError: Error, Sendable, Equatable {
    case leaseLost
    case ownerGone
    case unavailable(DiaryError)

    /// The database is unavailable, or did not finish in time.
    package var isOutage: Bool { if case .unavailable(let cause) = self { cause.code == .unavailable } else { false } }
}
