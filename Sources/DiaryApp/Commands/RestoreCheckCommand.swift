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
