import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryObjectStore
import FoundationEssentials
import Logging
import S3Client

extension TenantCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes all data of a tenant into a new folder, sealed as it is stored.",
            discussion: """
                Rows of both databases as one JSON object a line, the sealed objects, and manifest.json with counts and SHA-256. Nothing in it can be \
                read without the service's master keys and service secret. Connects as diary_backup; needs DIARY_OBJECTS, a folder or a bucket. \
                Recordings that wait in a bucket to be verified are not sealed yet and are left there. For a consistent state suspend the app first: \
                the two databases and the objects are read one after another.
                Ends with 0 when all is in the folder, with 2 when objects are missing in the store or cannot be read: the others are in the folder, and \
                the manifest names them. Progress is on standard error. \
                JSON is the manifest: \(ExportFolder.Manifest.form.shape).
                """)

        @Argument var slug: String

        @Option(help: "A folder that does not exist yet.")
        var to: String

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            let tenant = try await TenantCommand.tenant(slug)
            let environment = Environment.process
            let database = try DatabaseSettings(environment)
            let settings = try ObjectSettings(environment)
            // A store makes its folder when it is missing.
            if case .folder(let objects) = settings.place, !FileManager.default.fileExists(atPath: objects) {
                throw SettingsError(DiaryApp.Settings.objects, "there is no such folder")
            }
            let logger = Logger(label: "diary-tenant-export")
            let storage = try ObjectStorage(settings, logger: logger)
            let rows = try PostgresRestoreCheck(of: database, logger: logger)
            let objects = CollectObjects(of: tenant.id, in: storage.bytes, rows: rows, stagingIsPlain: settings.isBucket)
            // Before the folder is made: a store that is away costs nothing then.
            let total: CollectObjects.Counts
            do { total = try await objects.total() } catch let error as ObjectStoreError {
                throw CommandFailure("the store of DIARY_OBJECTS failed (\(error)); nothing was written")
            }

            let folder = try ExportFolder(to)
            for (name, connection) in [("main", database.main(as: .backup)), ("keys", database.keys(as: .backup))] {
                let dump = try TenantDump(connection, tenant: tenant.id, logger: AdminDatabase.logger)
                try await dump.read(begin: { try folder.beginRows("\(name)/\($0).ndjson") }, page: { try folder.append($0) })
            }
            try folder.end()
            var progress = ExportProgress()
            do {
                _ = try await objects.run(total, into: folder, progress: { progress.note($0) }) { gap in
                    let noted = folder.note(gap)
                    if !admin.json { print("\(noted.gap)  \(noted.path)") }
                }
            } catch let error as ObjectStoreError {
                throw CommandFailure(
                    "the store of DIARY_OBJECTS failed (\(error)); \(to) is incomplete, without manifest.json: remove it and run this again"
                )
            }
            if case .s3(let bucket) = storage { await bucket.client.close(within: .zero) }
            let manifest = try folder.finish(tenant, waiting: total.waiting)
            _ = try await TenantCommand.administration().change(slug, TenantChange(), .exported, by: try admin.who())
            if admin.json { ExportFolder.Manifest.form.show(json: manifest) } else { report(folder, waiting: total.waiting) }
            if folder.gapCount > 0 { throw RestoreCheckCommand.found }
        }

        private func report(_ folder: ExportFolder, waiting: Int) {
            print("\(folder.fileCount) files in \(to)")
            if waiting > 0 { print("\(waiting) recordings in staging wait for the service to verify them: export again afterwards") }
            if folder.gapCount > 0 {
                print("\(folder.gapCount) objects are not in it: `diary objects verify` looks at the store, and a backup may have them")
            }
        }
    }
}

/// Lines on standard error, every few seconds.
private struct ExportProgress {
    private static let every: Duration = .seconds(5)

    private var printed = ContinuousClock.now

    mutating func note(_ counts: CollectObjects.Counts) {
        let now = ContinuousClock.now
        guard now - printed >= Self.every else { return }
        printed = now
        CommandOutput.note(
            """
            \(counts.collected) of \(counts.objects) objects, \(counts.collectedBytes / 1_048_576) of \(counts.bytes / 1_048_576) MiB
            """)
    }
}
