package enum FeedOutcome: Sendable {
    /// In order of change number. `latest` is the member's counter when the page was read; `purgedThrough` is the change up to which
    /// tombstones have been purged; `epoch` is the database's.
    case page(EntryPage, latest: Int64, purgedThrough: Int64, epoch: Int64 = 0)
    /// The position is older than the oldest tombstone, or was given by a database that this one does not continue (410).
    case expired
}
