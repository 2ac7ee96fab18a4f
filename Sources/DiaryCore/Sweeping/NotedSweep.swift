/// What the database answers when a sweep begins.
package struct NotedSweep: Sendable, Equatable {
    package enum Finding: String, Sendable, CaseIterable {
        /// The database is older than it was. It has begun a new sync epoch, and keeps the objects of the lost time.
        case restored
        /// No worker has swept for a while, so a restore in that time would not show: the objects of that time are kept.
        case unobserved
    }

    /// To be written beside the objects.
    package var number: Int64
    package var finding: Finding? = nil

    package init(number: Int64, finding: Finding? = nil) {
        self.number = number
        self.finding = finding
    }
}
