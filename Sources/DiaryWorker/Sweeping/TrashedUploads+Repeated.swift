import DiaryCore
import FoundationEssentials
import Logging

/// Recordings that were sent to a bucket once more after their check, by an upload URL that still lived. Nothing reads them there, and they are
/// plain, so they do not wait for the walk over orphans, which leaves objects for a day.
extension TrashedUploads {
    /// A page of staging.
    func deleteRepeated(_ walk: inout SweepWalk<ObjectKey>) async throws {
        guard walk.isUnderWay else { return }
        let page = try await objects.list(.staging, olderThan: .distantFuture, after: walk.place, limit: Self.batch)
        walk.reached(page.next)
        guard !page.objects.isEmpty else { return }
        let repeated = try await store.checkedUploads(among: page.keys)
        guard !repeated.isEmpty else { return }
        // A bucket that was restored from an older copy may have a recording in staging alone.
        let originals = try await objects.facts(of: repeated.map { Self.finalKey($0, object: $0.object) })
        let copies = try await objects.facts(of: repeated.map { Self.finalKey($0, object: PlayableCopy.object(of: $0.object)) })
        let kept = zip(repeated, zip(originals, copies)).filter { _, found in Self.isThere(found.0) || Self.isThere(found.1) }.map(\.0)
        guard !kept.isEmpty else { return }
        let left = try await objects.delete(kept)
        logger.notice("repeated uploads deleted", metadata: ["objects": .stringConvertible(kept.count - left.count)])
    }

    private static func finalKey(_ staging: ObjectKey, object: UUID) -> ObjectKey {
        ObjectKey(kind: .audio, tenant: staging.tenant, user: staging.user, object: object)
    }

    private static func isThere(_ found: Result<ObjectFacts?, ObjectStoreError>) -> Bool { (try? found.get()) != nil }
}
