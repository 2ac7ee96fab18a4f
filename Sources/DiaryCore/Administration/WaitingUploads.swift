import FoundationEssentials

/// What staging and the parts of uploads hold that workers have still to end before objects move to another store (decision 0027). Changes nothing.
package struct WaitingUploads: Sendable {
    package struct Counts: Sendable, Equatable {
        /// In staging, to be verified.
        package var recordings = 0
        /// In staging, to be imported.
        package var zips = 0
        /// Recordings whose parts have all arrived, to be joined.
        package var parts = 0
        /// What clients have begun and not ended: a recording that lacks parts, a zip whose import is not confirmed. Workers wait for them.
        package var begun = 0

        package var forWorkers: Int { recordings + zips + parts }
    }

    private static let page = 1_000

    let rows: any ObjectCheckStore
    let objects: any ObjectStore
    let parts: any UploadParts
    let awaitingParts: @Sendable (_ after: EntryID?, _ limit: Int) async throws(WorkError) -> [AwaitingParts]

    /// - Parameter awaitingParts: that of `SweepStore`.
    package init(
        rows: any ObjectCheckStore, objects: any ObjectStore, parts: any UploadParts,
        awaitingParts: @escaping @Sendable (_ after: EntryID?, _ limit: Int) async throws(WorkError) -> [AwaitingParts]
    ) {
        self.rows = rows
        self.objects = objects
        self.parts = parts
        self.awaitingParts = awaitingParts
    }

    package func run() async throws -> Counts {
        var counts = Counts()
        // Parts before staging, where they are joined.
        try await countParts(&counts)
        try await countStaged(&counts)
        return counts
    }

    private func countParts(_ counts: inout Counts) async throws {
        var after: EntryID?
        repeat {
            let page = try await awaitingParts(after, Self.page)
            for set in page {
                let arrived: [ArrivedPart]
                do { arrived = try await parts.arrived(set.parts) } catch .missing { continue }
                if set.parts.isComplete(arrived) { counts.parts += 1 } else if !arrived.isEmpty { counts.begun += 1 }
            }
            after = page.last?.upload.entry
        } while after != nil
    }

    private func countStaged(_ counts: inout Counts) async throws {
        let confirmed = try await confirmedZips()
        var after: ObjectKey?
        repeat {
            let page = try await objects.list(.staging, olderThan: .distantFuture, after: after, limit: Self.page)
            let unnamed = Set(try await rows.orphans(among: page.keys))
            let named = page.keys.filter { !unnamed.contains($0) }
            // The row of an import names its zip at both places, before and after the promotion.
            let imported = named.map { ObjectKey(kind: .imported, tenant: $0.tenant, user: $0.user, object: $0.object) }
            let recordings = try await rows.orphans(among: imported)
            let zips = named.count { confirmed.contains($0.object) }
            counts.recordings += recordings.count
            counts.zips += zips
            counts.begun += named.count - recordings.count - zips
            after = page.next
        } while after != nil
    }

    private func confirmedZips() async throws -> Set<UUID> {
        var confirmed: Set<UUID> = []
        var after: NamedObject?
        repeat {
            let page = try await rows.importedZips(after: after, limit: Self.page)
            confirmed.formUnion(page.map(\.object))
            after = page.last
        } while after != nil
        return confirmed
    }
}
