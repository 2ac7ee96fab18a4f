import DiaryCore

/// The walk over all objects and parts, which takes several rounds. Objects are counted before they are deleted, so that the log first says
/// how many will be deleted.
struct OrphanWalk: Sendable {
    enum Part: Sendable, Equatable {
        case count(ObjectKey.Kind)
        case delete(ObjectKey.Kind)
        case parts
    }

    /// The first one is under way.
    private(set) var left: [Part] = []
    var after: ObjectKey?
    var afterUpload: StoredPartUpload?
    /// What was removed of the part that is under way.
    var removed = 0
    var kept = 0

    var isUnderWay: Bool { !left.isEmpty }

    mutating func begin() {
        self = OrphanWalk()
        left = [.count(.staging), .count(.audio), .count(.export), .count(.imported), .parts]
    }

    /// - Parameter next: comes before the others; nil: none.
    mutating func end(then next: Part? = nil) {
        let rest = left.dropFirst()
        self = OrphanWalk()
        left = (next.map { [$0] } ?? []) + rest
    }
}
