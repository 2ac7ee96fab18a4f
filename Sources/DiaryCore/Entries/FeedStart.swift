package import FoundationEssentials

/// A position in the feed.
package enum FeedStart: Sendable, Equatable {
    case beginning
    /// - Parameter purgedThrough: up to which change tombstones had been purged when this reading of the feed began.
    case after(changeNumber: Int64, purgedThrough: Int64 = 0)
    case changedSince(Date)
}
