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

/// Prints findings as they come, so that a long list is never in memory, and at the end counts and advice.
struct ObjectsReport {
    let json: Bool
    private var found: [ObjectFinding.Kind: Int] = [:]

    init(json: Bool) { self.json = json }

    var isClean: Bool { found.isEmpty }

    private struct Line: Encodable {
        let finding: String
        let tenant: String
        let user: String
        let id: String
    }

    private struct Summary: Encodable {
        struct Counts: Encodable {
            let recordings: Int
            let copies: Int
            let zips: Int
            let objects: Int
            let hashed: Int
            let kept: Int
        }

        let counts: Counts
        let findings: [String: Int]
    }

    mutating func add(_ finding: ObjectFinding) throws {
        found[finding.kind, default: 0] += 1
        let (tenant, user) = (finding.owner.tenant.description, finding.owner.user.description)
        if json {
            try CommandOutput.json(Line(finding: finding.kind.rawValue, tenant: tenant, user: user, id: finding.id))
        } else {
            print("\(finding.kind.rawValue)  \(tenant)  \(user)  \(finding.id)")
        }
    }

    func finish(_ counts: VerifyObjects.Counts) throws {
        if json {
            let findings = Dictionary(uniqueKeysWithValues: found.map { ($0.key.rawValue, $0.value) })
            return try CommandOutput.json(
                Summary(
                    counts: .init(
                        recordings: counts.recordings, copies: counts.copies, zips: counts.zips, objects: counts.objects,
                        hashed: counts.hashed, kept: counts.kept),
                    findings: findings))
        }
        print(
            """
            looked at \(counts.recordings) recordings, \(counts.copies) copies and \(counts.zips) zips that rows name, and \(counts.objects) \
            objects; compared \(counts.hashed) hashes
            """
        )
        if counts.kept > 0 { print("\(counts.kept) objects are kept because of a restore: `diary objects orphans`") }
        for kind in ObjectFinding.Kind.allCases {
            if let count = found[kind] { print("\(kind.rawValue): \(count). \(Self.advice(kind))") }
        }
        if isClean { print("all fits together") }
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
