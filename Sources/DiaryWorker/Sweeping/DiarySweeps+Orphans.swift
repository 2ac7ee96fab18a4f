import DiaryCore
import FoundationEssentials
import Logging

/// Where the walk over the objects of a kind is. They are counted before they are deleted, so that the log first says how many will be deleted.
struct OrphanPlace: Sendable {
    var isDeleting = false
    var after: ObjectKey?
    var removed = 0
    var kept = 0
}

/// Objects that no row names. They are not urgent: the walk begins every hour and does some pages in a round.
extension DiarySweeps {
    /// A page. One that fails is tried again an hour later.
    func collectOrphans(_ kind: ObjectKey.Kind, _ walk: inout SweepWalk<OrphanPlace>) async throws {
        var place = walk.place ?? OrphanPlace()
        walk.reached(nil)
        let before = clock.now().addingTimeInterval(-limits.orphanSeconds)
        // Read for each page: the database may have been restored since the walk began.
        let kept = try await store.keptTimes()
        let page = try await objects.list(kind, olderThan: before, after: place.after, limit: Self.batch)
        let storedAt = Dictionary(page.objects.map { ($0.key, $0.storedAt) }) { first, _ in first }
        let orphans = page.objects.isEmpty ? [] : try await store.orphans(among: page.keys)
        let removable = orphans.filter { orphan in storedAt[orphan].map { time in !kept.contains { $0.contains(time) } } ?? false }
        place.kept += orphans.count - removable.count
        place.removed += removable.count
        if place.isDeleting { place.removed -= try await delete(removable).count }
        place.after = page.next
        if page.next != nil { return walk.reached(place) }
        func counted(_ count: Int) -> Logger.Metadata { ["kind": "\(kind.rawValue)", "objects": .stringConvertible(count)] }
        if place.isDeleting { return logger.notice("orphan objects deleted", metadata: counted(place.removed)) }
        if place.kept > 0 { logger.warning("orphan objects kept: see diary objects orphans", metadata: counted(place.kept)) }
        guard place.removed > 0 else { return }
        logger.notice("orphan objects found", metadata: counted(place.removed))
        walk.reached(OrphanPlace(isDeleting: true))
    }
}
