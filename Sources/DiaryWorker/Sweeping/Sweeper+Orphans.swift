import DiaryCore
import FoundationEssentials
import Logging

/// Objects and parts that no row names. They are not urgent: the walk begins every hour and does some pages in a round.
extension Sweeper {
    func collectOrphans(_ progress: inout SweepProgress) async {
        var pages = orphanPages
        while pages > 0, progress.orphans.isUnderWay, !progress.isStoreDown, !isStopping {
            pages -= 1
            let part = progress.orphans.left.first
            await storeStep("orphans", &progress) { progress in
                do { try await collectPage(&progress.orphans) } catch {
                    // One that fails does not stop the others, and is tried again an hour later.
                    if progress.orphans.left.first == part { progress.orphans.end() }
                    throw error
                }
            }
        }
    }

    private func collectPage(_ walk: inout OrphanWalk) async throws {
        switch walk.left.first {
        case .count(let kind)?:
            guard try await page(of: kind, &walk, deleting: false) else { return }
            if walk.kept > 0 {
                logger.warning(
                    "orphan objects kept: see diary objects orphans",
                    metadata: ["kind": "\(kind.rawValue)", "objects": .stringConvertible(walk.kept)])
            }
            if walk.removed > 0 {
                logger.notice(
                    "orphan objects found", metadata: ["kind": "\(kind.rawValue)", "objects": .stringConvertible(walk.removed)])
            }
            walk.end(then: walk.removed > 0 ? .delete(kind) : nil)
        case .delete(let kind)?:
            guard try await page(of: kind, &walk, deleting: true) else { return }
            logger.notice(
                "orphan objects deleted", metadata: ["kind": "\(kind.rawValue)", "objects": .stringConvertible(walk.removed)])
            walk.end()
        case .parts?:
            let page = try await parts.collectOrphans(after: walk.afterUpload, kept: try await store.keptTimes()) { isStopping }
            walk.removed += page.deleted
            walk.afterUpload = page.next
            guard page.next == nil else { return }
            if walk.removed > 0 { logger.notice("orphan parts deleted", metadata: ["sets": .stringConvertible(walk.removed)]) }
            walk.end()
        case nil: return
        }
    }

    /// - Returns: whether it was the last one of its kind.
    private func page(of kind: ObjectKey.Kind, _ walk: inout OrphanWalk, deleting: Bool) async throws -> Bool {
        let before = clock.now().addingTimeInterval(-limits.orphanSeconds)
        // Read for each page: the database may have been restored since the walk began.
        let kept = try await store.keptTimes()
        let page = try await objects.list(kind, olderThan: before, after: walk.after, limit: Self.batch)
        let storedAt = Dictionary(page.objects.map { ($0.key, $0.storedAt) }) { first, _ in first }
        let orphans = page.objects.isEmpty ? [] : try await store.orphans(among: page.keys)
        let removable = orphans.filter { orphan in storedAt[orphan].map { time in !kept.contains { $0.contains(time) } } ?? false }
        walk.kept += orphans.count - removable.count
        walk.removed += removable.count
        if deleting { walk.removed -= try await delete(removable).count }
        walk.after = page.next
        return page.next == nil
    }
}
