/// Why a worker's write was refused. Nothing was written; after `leaseLost` and `ownerGone` the caller has nothing left to do.
package enum WorkError: Error, Sendable, Equatable {
    /// Another worker has the lease.
    case leaseLost
    /// The owner's key, or the row that the job works on, does not exist any more.
    case ownerGone
    case unavailable(DiaryError)

    /// The database is unavailable, or did not finish in time.
    package var isOutage: Bool { if case .unavailable(let cause) = self { cause.code == .unavailable } else { false } }
}
