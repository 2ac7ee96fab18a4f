import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryObjectStore
import Logging
import PostgresClient
import SystemPackage

struct RestoreCheckCommand: AsyncParsableCommand {
    /// Something was found; 1 says that the check itself failed.
    static let found = ExitCode(2)

    static let configuration = CommandConfiguration(
        commandName: "restore-check",
        abstract: "Compares databases, keys and objects after a restore, and says what to do. Changes nothing.",
        discussion: """
            Connects as diary_backup; needs DIARY_OBJECTS, DIARY_MASTER_KEYS and DIARY_SERVICE_SECRET. Prints ids and counts, never words or addresses. \
            Ends with 0 when all fits together, with 2 when something was found. Progress is on standard error.
            """)

    @Flag(help: "Print JSON, one object a line: {finding, tenant, user, id}, and at the end {counts, findings}.")
    var json = false

    func run() async throws {
        let environment = Environment.process
        let keys = try KeySettings(environment)
        let serviceKeys = ServiceKeys(secret: try environment.read(KeySettings.serviceSecret))
        let database = try DatabaseSettings(environment)
        let logger = Logger(label: "diary-restore-check")
        let storage = try ObjectStorage(ObjectSettings(environment), logger: logger)
        let store = PostgresRestoreCheck(
            main: try ConnectionPool(.init(connection: database.main(as: .backup), size: 1), logger: logger),
            keys: try ConnectionPool(.init(connection: database.keys(as: .backup), size: 1), logger: logger))
        let check = CheckRestore(store: store, objects: storage.objects, masters: keys.masters, serviceKeys: serviceKeys)
        var report = RestoreReport(json: json)
        let counts = try await check.run(progress: Self.progress) { try report.add($0) }
        try report.finish(counts)
        if !report.isClean { throw Self.found }
    }

    private static func progress(_ part: String, _ count: Int) {
        guard count > 0, count.isMultiple(of: 10_000) else { return }
        _ = try? FileDescriptor.standardError.writeAll("\(part): \(count)\n".utf8)
    }
}

/// Prints findings as they come, so that a long list is never in memory, and at the end counts and advice.
struct RestoreReport {
    let json: Bool
    private var found: [RestoreFinding.Kind: Int] = [:]

    init(json: Bool) { self.json = json }

    var isClean: Bool { found.isEmpty }

    private struct Line: Encodable {
        let finding: String
        let tenant: String?
        let user: String?
        let id: String?
    }

    private struct Summary: Encodable {
        struct Counts: Encodable {
            let accounts: Int
            let keys: Int
            let recordings: Int
            let zips: Int
            let objects: Int
            let waiting_deletions: Int
        }

        let counts: Counts
        let findings: [String: Int]
    }

    mutating func add(_ finding: RestoreFinding) throws {
        found[finding.kind, default: 0] += 1
        let (tenant, user) = (finding.owner?.tenant.description, finding.owner?.user.description)
        if json {
            try CommandOutput.json(Line(finding: finding.kind.rawValue, tenant: tenant, user: user, id: finding.id))
        } else {
            print(([finding.kind.rawValue] + [tenant, user, finding.id].compactMap { $0 }).joined(separator: "  "))
        }
    }

    func finish(_ counts: CheckRestore.Counts) throws {
        if json {
            let findings = Dictionary(uniqueKeysWithValues: found.map { ($0.key.rawValue, $0.value) })
            return try CommandOutput.json(
                Summary(
                    counts: .init(
                        accounts: counts.accounts, keys: counts.keys, recordings: counts.recordings, zips: counts.zips,
                        objects: counts.objects, waiting_deletions: counts.waitingDeletions), findings: findings))
        }
        print(
            "looked at \(counts.accounts) accounts, \(counts.keys) keys, \(counts.recordings) recordings and \(counts.zips) zips that rows name, \(counts.objects) objects"
        )
        if counts.waitingDeletions > 0 { print("\(counts.waitingDeletions) deletions wait; workers carry them out") }
        for kind in RestoreFinding.Kind.allCases {
            if let count = found[kind] { print("\(kind.rawValue): \(count). \(Self.advice(kind))") }
        }
        print(isClean ? "all fits together" : "what each finding means: docs/backup.md, Restore")
    }

    private static func advice(_ kind: RestoreFinding.Kind) -> String {
        switch kind {
        case .accountWithoutKey:
            "Erased since the dump of the main database: `diary user erase`. Many of them: the key database is too old, restore a newer one."
        case .otherKey, .keyDoesNotOpen: "Unreadable: the key database, or DIARY_MASTER_KEYS, is not of this main database."
        case .keyWithoutAccount: "Erased before: `diary keys destroy`, or backups of that account can be read."
        case .keyOfLostAccount: "Made in the lost time. When nothing newer will be restored: `diary keys destroy`."
        case .missingObject: "Copy the object from a newer backup; without it the recording is lost, its text is not."
        case .objectWithoutRow: "Kept until `diary objects orphans --delete --yes` when it is of the lost time; else sweepers remove it."
        case .wrongMasterKey: "The key of this name in DIARY_MASTER_KEYS is another one."
        case .wrongServiceSecret: "DIARY_SERVICE_SECRET is another one: no sign-in would work."
        case .tokenKeyRestored: "It is refused; destroy it again: `diary keys retire`."
        case .oldEpoch: "`diary sync new-epoch`, before the service starts."
        }
    }
}
