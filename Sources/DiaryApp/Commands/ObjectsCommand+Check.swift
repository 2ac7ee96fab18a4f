import ArgumentParser
import DiaryCore
import DiaryObjectStore
import Logging
import S3Client

extension ObjectsCommand {
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Tries the store that DIARY_OBJECTS names, and says what is wrong: rights, clock, access, versions, lifecycle, cross-origin rules.",
            discussion: """
                Makes small objects below check/ of the bucket's prefix and deletes them. Ends with 0 when the store can be used, warnings included, with 2 \
                when it cannot.
                """)

        private static let checkForm = ReportForm<Row>(
            .field("check") { $0.check }, .field("state") { $0.state.rawValue }, .field("detail", column: "") { $0.detail })

        private static let form = ReportForm<(store: String, checks: [Row])>(
            .member("store") { $0.store }, .list("checks", checkForm) { $0.checks })

        @Flag(help: "Print JSON: \(Self.form.shape), with the states ok, warning, fault and unknown.")
        var json = false

        func run() async throws {
            // The check provokes refusals and reports them, so the client's warnings about them are not logged.
            var logger = Logger(label: "diary-objects-check")
            logger.logLevel = .critical
            let storage = try ObjectStorage(ObjectSettings(.process), logger: logger)
            let store: String
            let checks: [Row]
            switch storage {
            case .disk(let disk):
                store = "folder"
                checks = [await Self.check(disk)]
            case .s3(let bucket):
                let found = await BucketCheck(store: bucket).run().map { Row(check: $0.check.rawValue, state: $0.state, detail: $0.detail) }
                store = "bucket"
                checks = found + [Self.limits(.process)]
                await bucket.client.close(within: .zero)
            }
            if json { Self.form.show(json: (store, checks)) } else { Self.checkForm.table(checks).show() }
            if checks.contains(where: { $0.state == .fault }) { throw RestoreCheckCommand.found }
        }

        private static func check(_ disk: DiskByteStore) async -> Row {
            guard await disk.isWritable(), let space = await disk.space() else {
                return Row(check: "folder", state: .fault, detail: "this user cannot write there")
            }
            return Row(check: "folder", state: .ok, detail: "\(space.bytes / 1_048_576) MiB free")
        }

        /// Of these settings; those of the service may be others.
        private static func limits(_ environment: Environment) -> Row {
            do throws(SettingsError) {
                for setting in LimitSettings.ofObjects { try LimitSettings.checkFits(setting, environment) }
                return Row(check: "limits", state: .ok, detail: "the largest objects fit into one PUT of 5 GiB")
            } catch {
                return Row(check: "limits", state: .fault, detail: error.description)
            }
        }

        private struct Row: Sendable {
            let check: String
            let state: BucketFinding.State
            let detail: String
        }
    }
}
