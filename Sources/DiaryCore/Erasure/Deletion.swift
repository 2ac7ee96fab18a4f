package import FoundationEssentials

/// The progress of an erasure, for the holder of its receipt.
package struct Deletion: Sendable, Equatable {
    /// How many of each were deleted.
    package struct Counts: Sendable, Equatable {
        package var entries: Int64 = 0
        package var objects: Int64 = 0
        package var exports: Int64 = 0
        package var mails: Int64 = 0
        package var sessions: Int64 = 0
        package var keys: Int64 = 0
    }

    package var requestedAt: Date
    package var keyDestroyedAt: Date? = nil
    /// Key, objects and rows were deleted.
    package var erasedAt: Date? = nil
    /// The time of the last search for late uploads.
    package var sweptAt: Date? = nil
    package var counts = Counts()

    package init(requestedAt: Date, keyDestroyedAt: Date? = nil, erasedAt: Date? = nil, sweptAt: Date? = nil, counts: Counts = Counts()) {
        self.requestedAt = requestedAt
        self.keyDestroyedAt = keyDestroyedAt
        self.erasedAt = erasedAt
        self.sweptAt = sweptAt
        self.counts = counts
    }
}

package enum Deletions {}
package typealias DeletionID = ID<Deletions>
