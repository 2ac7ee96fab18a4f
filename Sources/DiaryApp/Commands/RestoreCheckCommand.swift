import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryObjectStore
import Logging

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

    private static let counts = ReportForm<CheckRestore.Counts>(
        .member("accounts") { $0.accounts }, .member("keys") { $0.keys }, .member("recordings") { $0.recordings },
        .member("zips") { $0.zips }, .member("objects") { $0.objects }, .member("waiting_deletions") { $0.waitingDeletions })

    @Flag(help: ArgumentHelp(PrintedFinding.help(Self.counts)))
    var json = false

    func run() async throws {
        let environment = Environment.process
        let keys = try KeySettings(environment)
        let serviceKeys = ServiceKeys(secret: try environment.read(KeySettings.serviceSecret))
        let database = try DatabaseSettings(environment)
        let logger = Logger(label: "diary-restore-check")
        let storage = try ObjectStorage(ObjectSettings(environment), logger: logger)
        let store = try PostgresRestoreCheck(of: database, logger: logger)
        let check = CheckRestore(store: store, objects: storage.objects, masters: keys.masters, serviceKeys: serviceKeys)
        var report = FindingReport(json: json, counts: Self.counts, advice: Self.advice)
        let counts = try await check.run(progress: Self.progress) { report.add($0.kind, of: $0.owner, $0.id) }
        let looked = """
            looked at \(counts.accounts) accounts, \(counts.keys) keys, \(counts.recordings) recordings and \(counts.zips) zips that rows name, \
            \(counts.objects) objects
            """
        let waiting = counts.waitingDeletions > 0 ? ["\(counts.waitingDeletions) deletions wait; workers carry them out"] : []
        report.finish(counts, [looked] + waiting)
        if !json { print(report.isClean ? "all fits together" : "what each finding means: docs/backup.md, Restore") }
        if !report.isClean { throw Self.found }
    }

    private static func progress(_ part: String, _ count: Int) {
        guard count > 0, count.isMultiple(of: 10_000) else { return }
        CommandOutput.note("\(part): \(count)")
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
