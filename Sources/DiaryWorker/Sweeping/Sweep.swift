import Synchronization

/// Work of the sweeper. Every worker does it, so each batch may be repeated, also beside another worker.
struct Sweep: Sendable {
    /// How often a sweep begins. One that has more to do goes on in the next round.
    enum Period: Sendable, CaseIterable {
        case round, fiveMinutes, hour

        var seconds: Double {
            switch self {
            case .round: 0
            case .fiveMinutes: 300
            case .hour: 3_600
            }
        }
    }

    enum Need: Sendable {
        case database, objects
        /// Objects, in a round that has compared the database with them: without that a restored database would make orphans of recordings.
        case comparedObjects
    }

    /// In the log.
    let name: String
    let period: Period
    let need: Need
    /// The most of them in a round. Each is bounded, because the other sweeps wait for the end of the round.
    var batches: Int
    let begin: @Sendable () -> Void
    /// - Returns: whether there is more to do.
    let batch: @Sendable () async throws -> Bool
}

extension Sweep {
    /// - Parameter batch: tells whether there may be more. One that fails is tried again when the sweep begins next.
    init(
        _ name: String, every period: Period = .round, needs need: Need = .objects, batches: Int = 1,
        batch: @escaping @Sendable () async throws -> Bool
    ) {
        self = .walk(name, every: period, needs: need, batches: batches) { (walk: inout SweepWalk<Never>) in
            walk.reached(nil)
            if try await batch() { walk.begin() }
        }
    }

    /// - Parameter page: the work on a page, which says where the next one begins.
    static func walk<Place: Sendable>(
        _ name: String, every period: Period = .round, needs need: Need = .objects, batches: Int = 1,
        page: @escaping @Sendable (inout SweepWalk<Place>) async throws -> Void
    ) -> Sweep {
        let kept = KeptWalk<Place>()
        return Sweep(
            name: name, period: period, need: need, batches: batches, begin: { kept.now.begin() },
            batch: {
                var walk = kept.now
                guard walk.isUnderWay else { return false }
                defer { kept.now = walk }
                try await page(&walk)
                return walk.isUnderWay
            })
    }
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

/// Where a walk is between its pages, which one task does one after the other.
private final class KeptWalk<Place: Sendable>: Sendable {
    private let walk = Mutex(SweepWalk<Place>())

    var now: SweepWalk<Place> {
        get { walk.withLock { $0 } }
        set { walk.withLock { $0 = newValue } }
    }
}
