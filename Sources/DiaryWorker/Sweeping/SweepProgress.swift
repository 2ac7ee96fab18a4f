import DiaryCore
import FoundationEssentials

/// The sweeper's state between rounds: where each walk continues, so that each round is bounded.
struct SweepProgress: Sendable {
    /// A place among uploads.
    struct Place: Sendable {
        var at: Date
        var entry: EntryID
    }

    /// The store did not answer a request of this round, so the other steps make none.
    var isStoreDown = false
    /// Uploads of the last day; of older entries; of entries that have expired.
    var recent = SweepWalk<Place>()
    var old = SweepWalk<Place>()
    var late = SweepWalk<Place>()
    var parts = SweepWalk<EntryID>()
    var trashed = SweepWalk<EntryID>()
    var repeated = SweepWalk<ObjectKey>()
    var hasMoreOverdue = false
    var orphans = OrphanWalk()
}

/// Pages that are read over several rounds.
struct SweepWalk<Place: Sendable>: Sendable {
    private(set) var isUnderWay = false
    private(set) var place: Place?

    /// One that is under way goes on where it is.
    mutating func begin() { isUnderWay = true }

    /// Called before a page's work, so that what fails is not in the way of what comes after it.
    /// - Parameter next: where the next page begins; nil at the end.
    mutating func reached(_ next: Place?) {
        place = next
        isUnderWay = next != nil
    }
}
