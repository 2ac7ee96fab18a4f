import ArgumentParser
import DiaryCore
import DiaryCrypto
import DiaryDatabase
import DiaryObjectStore
import Logging

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

        private static let counts = ReportForm<VerifyObjects.Counts>(
            .member("recordings") { $0.recordings }, .member("copies") { $0.copies }, .member("zips") { $0.zips },
            .member("objects") { $0.objects }, .member("hashed") { $0.hashed }, .member("kept") { $0.kept })

        @Flag(help: ArgumentHelp(PrintedFinding.help(Self.counts)))
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
            let store = try PostgresRestoreCheck(of: database, logger: logger)
            var report = FindingReport(json: json, counts: Self.counts, advice: Self.advice)
            let counts = try await VerifyObjects(store: store, objects: storage.objects, masters: masters)
                .run(sample: sample, progress: Self.progress) { report.add($0.kind, of: $0.owner, $0.id) }
            let looked = """
                looked at \(counts.recordings) recordings, \(counts.copies) copies and \(counts.zips) zips that rows name, and \(counts.objects) \
                objects; compared \(counts.hashed) hashes
                """
            let kept = counts.kept > 0 ? ["\(counts.kept) objects are kept because of a restore: `diary objects orphans`"] : []
            report.finish(counts, [looked] + kept)
            if report.isClean, !json { print("all fits together") }
            if !report.isClean { throw RestoreCheckCommand.found }
        }

        private static func progress(_ part: String, _ count: Int) {
            guard count > 0, count.isMultiple(of: part == "hashes" ? 100 : 10_000) else { return }
            CommandOutput.note("\(part): \(count)")
        }

        private static func advice(_ kind: ObjectFinding.Kind) -> String {
            switch kind {
            case .missing: "Copy the object from a backup; without it the recording is lost, its text is not."
            case .withoutRow: "Sweepers delete it within a day of its last move; workers must run. If it stays: their log says why."
            case .damaged: "Copy the object from a backup: its bytes were altered, or it is sealed under another key."
            case .otherHash: "The recording opens and is another one than was checked when it arrived: copy it from a backup."
            case .keyMissing: "`diary restore-check` says more: the account's key is gone, or DIARY_MASTER_KEYS lacks its master key."
            }
        }
    }
}
