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

        @Flag(help: "Print JSON: {store, checks: [{check, state: ok|warning|fault|unknown, detail}]}.")
        var json = false

        func run() async throws {
            // The check provokes refusals and reports them, so the client's warnings about them are not logged.
            var logger = Logger(label: "diary-objects-check")
            logger.logLevel = .critical
            let storage = try ObjectStorage(ObjectSettings(.process), logger: logger)
            let report: Report
            switch storage {
            case .disk(let disk): report = Report(store: "folder", checks: [await Self.check(disk)])
            case .s3(let bucket):
                let found = await BucketCheck(store: bucket).run().map {
                    Report.Row(check: $0.check.rawValue, state: $0.state.rawValue, detail: $0.detail)
                }
                report = Report(store: "bucket", checks: found + [Self.limits(.process)])
                await bucket.client.close(within: .zero)
            }
            if json {
                try CommandOutput.json(report)
            } else {
                var table = TextTable("check", "state", "")
                for row in report.checks { table.add(row.check, row.state, row.detail) }
                table.show()
            }
            if report.checks.contains(where: { $0.state == BucketFinding.State.fault.rawValue }) { throw RestoreCheckCommand.found }
        }

        private static func check(_ disk: DiskByteStore) async -> Report.Row {
            guard await disk.isWritable(), let space = await disk.space() else {
                return .init(check: "folder", state: BucketFinding.State.fault.rawValue, detail: "this user cannot write there")
            }
            return .init(check: "folder", state: BucketFinding.State.ok.rawValue, detail: "\(space.bytes / 1_048_576) MiB free")
        }

        /// Of these settings; those of the service may be others.
        private static func limits(_ environment: Environment) -> Report.Row {
            do throws(SettingsError) {
                for setting in LimitSettings.ofObjects { try LimitSettings.checkFits(setting, environment) }
                return .init(
                    check: "limits", state: BucketFinding.State.ok.rawValue, detail: "the largest objects fit into one PUT of 5 GiB")
            } catch {
                return .init(check: "limits", state: BucketFinding.State.fault.rawValue, detail: error.description)
            }
        }

        private struct Report: Encodable {
            struct Row: Encodable {
                let check: String
                let state: String
                let detail: String
            }

            let store: String
            let checks: [Row]
        }
    }
}
