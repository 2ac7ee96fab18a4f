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

        private static let kindForm = ReportForm<OrphanWalk.Count>(
            .field("kind") { $0.kind.rawValue },
            .field("objects") { $0.objects },
            .field("orphans", column: "named by no row") { $0.orphans },
            .field("kept") { $0.kept })

        private static let form = ReportForm<(kept: [ClosedRange<Date>], kinds: [OrphanWalk.Count], deleted: Int)>(
            .list("kept_times", SyncCommand.lostTime) { $0.kept }, .list("kinds", kindForm) { $0.kinds },
            .member("deleted") { $0.deleted })

        @Flag(help: "Print JSON: \(Self.form.shape).")
        var json = false

        func validate() throws {
            if delete { try confirmation.require("--delete --yes") }
        }

        func run() async throws {
            let restores = PostgresRestoreAdministration(pool: try AdminDatabase.pool())
            let storage = try ObjectStorage(ObjectSettings(.process), logger: AdminDatabase.logger)
            let walk = OrphanWalk(objects: storage.objects, restores: restores, kept: try await restores.keptTimes())
            var kinds: [OrphanWalk.Count] = []
            for kind in ObjectKey.Kind.allCases { kinds.append(try await walk.run(kind, deletes: delete)) }
            let deleted = delete ? kinds.reduce(0) { $0 + $1.kept } : 0
            if delete, let end = walk.kept.map(\.upperBound).max() { try await restores.releaseKept(through: end) }
            if json { return Self.form.show(json: (walk.kept, kinds, deleted)) }
            for time in walk.kept { print("kept: \(time.lowerBound.text) to \(time.upperBound.text)") }
            Self.kindForm.table(kinds).show()
            if delete { print("\(deleted) deleted") }
        }
    }
}

/// Every object of a kind, page by page.
private struct OrphanWalk {
    let objects: any ObjectStore
    let restores: PostgresRestoreAdministration
    let kept: [ClosedRange<Date>]

    struct Count: Sendable {
        let kind: ObjectKey.Kind
        var objects = 0
        var orphans = 0
        var kept = 0
    }

    /// - Parameter deletes: those that are kept; the others are the sweepers'.
    func run(_ kind: ObjectKey.Kind, deletes: Bool) async throws -> Count {
        var count = Count(kind: kind)
        var after: ObjectKey?
        repeat {
            let page = try await objects.list(kind, olderThan: .distantFuture, after: after, limit: 1_000)
            let orphans = Set(try await restores.orphans(among: page.keys))
            let keptOrphans = page.objects.filter { object in
                orphans.contains(object.key) && kept.contains { $0.contains(object.storedAt) }
            }
            count.objects += page.objects.count
            count.orphans += orphans.count
            count.kept += keptOrphans.count
            if deletes { for object in keptOrphans { try await objects.delete(object.key) } }
            after = page.next
        } while after != nil
        return count
    }
}
