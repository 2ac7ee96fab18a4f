package import FoundationEssentials

/// A position in the feed.
package enum FeedStart: Sendable, Equatable {
    case beginning
    /// - Parameters:
    ///   - purgedThrough: the change up to which tombstones had been purged when this reading of the feed began.
    ///   - epoch: of the database that gave the position.
    case after(changeNumber: Int64, purgedThrough: Int64 = 0, epoch: Int64 = 0)
    case changedSince(Date)
}
