import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryObjectStore
import FoundationEssentials

struct ObjectsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects", abstract: "Recordings and zips in the store.",
        subcommands: [Check.self, Orphans.self, Verify.self, Waiting.self])

    struct Orphans: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Counts the objects that no row names, and those of them that sweepers keep because of a restore.",
            discussion: """
                After a restore of an older main database the recordings of the lost time are kept: a newer dump, or its WAL, may still name them. When \
                nothing newer will be restored, --delete --yes deletes them and ends the keeping. Needs DIARY_OBJECTS.
                """)

        @Flag(help: "Delete the kept objects.")
        var delete = false

        @OptionGroup var confirmation: Confirmation

        @Flag(help: "Print JSON: {kept_times: [{lost_since, lost_until}], kinds: [{kind, objects, orphans, kept}], deleted}.")
        var json = false

        func validate() throws {
            if delete { try confirmation.require("--delete --yes") }
        }

        func run() async throws {
            let restores = PostgresRestoreAdministration(pool: try AdminDatabase.pool())
            let storage = try ObjectStorage(ObjectSettings(.process), logger: AdminDatabase.logger)
            let walk = OrphanWalk(objects: storage.objects, restores: restores, kept: try await restores.keptTimes())
            var report = Report(kept_times: walk.kept.map(LostTime.init), kinds: [], deleted: 0)
            for kind in ObjectKey.Kind.allCases {
                let found = try await walk.run(kind, deletes: delete)
                report.kinds.append(.init(kind: kind.rawValue, objects: found.objects, orphans: found.orphans, kept: found.kept))
                if delete { report.deleted += found.kept }
            }
            if delete, let end = walk.kept.map(\.upperBound).max() { try await restores.releaseKept(through: end) }
            if json { return try CommandOutput.json(report) }
            for time in report.kept_times { print("kept: \(time.lost_since) to \(time.lost_until)") }
            var table = TextTable("kind", "objects", "named by no row", "kept")
            for kind in report.kinds { table.add(kind.kind, String(kind.objects), String(kind.orphans), String(kind.kept)) }
            table.show()
            if delete { print("\(report.deleted) deleted") }
        }

        private struct Report: Encodable {
            struct Kind: Encodable {
                let kind: String
                let objects: Int
                let orphans: Int
                let kept: Int
            }

            let kept_times: [LostTime]
            var kinds: [Kind]
            var deleted: Int
        }
    }
}

/// Every object of a kind, page by page.
private struct OrphanWalk {
    let objects: any ObjectStore
    let restores: PostgresRestoreAdministration
    let kept: [ClosedRange<Date>]

    /// - Parameter deletes: those that are kept; the others are the sweepers'.
    func run(_ kind: ObjectKey.Kind, deletes: Bool) async throws -> (objects: Int, orphans: Int, kept: Int) {
        var count = (objects: 0, orphans: 0, kept: 0)
        var after: ObjectKey?
        repeat {
            let page = try await objects.list(kind, olderThan: .distantFuture, after: after, limit: 1_000)
            let orphans = Set(try await restores.orphans(among: page.keys))
            let keptOrphans = page.objects.filter { object in
                orphans.contains(object.key) && kept.contains { $0.contains(object.storedAt) }
            }
            count = (count.objects + page.objects.count, count.orphans + orphans.count, count.kept + keptOrphans.count)
            if deletes { for object in keptOrphans { try await objects.delete(object.key) } }
            after = page.next
        } while after != nil
        return count
    }
}
