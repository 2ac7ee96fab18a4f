/// The lease went to another worker, or the owner's key or entry is gone: nothing was written, and nothing is to be done.
package enum WorkError: Error, Sendable, Equatable {
    case leaseLost
    case ownerGone
    case unavailable(DiaryError)

    /// The database is away, or could not do this in its time.
    package var isOutage: Bool { if case .unavailable(let cause) = self { cause.code == .unavailable } else { false } }
}
