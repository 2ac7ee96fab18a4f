package enum FeedOutcome: Sendable {
    /// In order of change number. `latest` is the member's counter when the page was read; `purgedThrough` is the change up to which
    /// tombstones have been purged.
    case page(EntryPage, latest: Int64, purgedThrough: Int64)
    /// The position is older than the oldest tombstone, or newer than the counter of a restored database (410).
    case expired
}
