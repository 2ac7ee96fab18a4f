import ArgumentParser
import DiaryCore
import DiaryCrypto
import DiaryDatabase
import DiaryObjectStore
import Logging
import PostgresClient
import SystemPackage

extension ObjectsCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compares rows and objects: every row has its object, every object its row, and a sample of recordings its digests.",
            discussion: """
                Changes nothing, and may run while the service works. Connects as diary_backup; needs DIARY_OBJECTS, and DIARY_MASTER_KEYS for the sample. \
                Prints ids and counts. Ends with 0 when all fits together, with 2 when something was found, with 1 when it could not be looked at. \
                Progress is on standard error.
                """)

        @Option(help: "How many recordings and copies are read whole and compared with their SHA-256.")
        var sample = 100

        @Flag(help: "Print JSON, one object a line: {finding, tenant, user, id}, and at the end {counts, findings}.")
        var json = false

        func validate() throws {
            guard (0...1_000_000).contains(sample) else { throw ValidationError("--sample: must be from 0 to 1000000") }
        }

        func run() async throws {
            let environment = Environment.process
            let masters = sample > 0 ? try KeySettings(environment).masters : nil
            let database = try DatabaseSettings(environment)
            let logger = Logger(label: "diary-objects-verify")
            let storage = try ObjectStorage(ObjectSettings(environment), logger: logger)
            let store = PostgresRestoreCheck(
                main: try ConnectionPool(.init(connection: database.main(as: .backup), size: 1), logger: logger),
                keys: try ConnectionPool(.init(connection: database.keys(as: .backup), size: 1), logger: logger))
            var report = ObjectsReport(json: json)
            let counts = try await VerifyObjects(store: store, objects: storage.objects, masters: masters)
                .run(sample: sample, progress: Self.progress) { try report.add($0) }
            try report.finish(counts)
            if !report.isClean { throw RestoreCheckCommand.found }
        }

        private static func progress(_ part: String, _ count: Int) {
            guard count > 0, count.isMultiple(of: part == "hashes" ? 100 : 10_000) else { return }
            _ = try? FileDescriptor.standardError.writeAll("\(part): \(count)\n".utf8)
        }
    }
}
