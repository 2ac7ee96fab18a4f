import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryRedis
import FoundationEssentials
import Glibc
import Logging
import PostgresClient

/// Options of every command that changes something.
struct AdminOptions: ParsableArguments {
    @Option(help: "The operator's name in the record of acts (default: the user who runs the command).")
    var `operator`: String?

    @Flag(help: "Print JSON.")
    var json = false

    func who() throws -> String {
        let name = `operator` ?? OperatorName.find(ProcessInfo.processInfo.environment)
        if let fault = OneLineText.fault(ofName: name, max: 100) { throw ValidationError("--operator \(fault)") }
        return name
    }

    /// Notifies running services, so that they read the change immediately. Without the notice they read it within seconds.
    func announce(_ topic: ChangeTopic = .tenants) async {
        guard let endpoint = try? Environment.process.read(Settings.redis) else { return }
        let client = RedisClient(endpoint: endpoint, logger: AdminDatabase.logger)
        try? await ChangeNotices.publish(topic, on: client)
        client.close()
    }
}

/// The main database, by its role `diary_admin`.
enum AdminDatabase {
    static let logger = Logger(label: "diary-admin")

    static func pool() throws -> ConnectionPool {
        let database = try DatabaseSettings(Environment.process)
        return try ConnectionPool(.init(connection: database.main(as: .admin), size: 1), logger: logger)
    }
}

extension PostgresRestoreCheck {
    /// Both databases, by their role `diary_backup`.
    init(of database: DatabaseSettings, logger: Logger) throws {
        self.init(
            main: try ConnectionPool(.init(connection: database.main(as: .backup), size: 1), logger: logger),
            keys: try ConnectionPool(.init(connection: database.keys(as: .backup), size: 1), logger: logger))
    }
}

/// The name of the person who runs a command, for `diary tenant acts`.
enum OperatorName {
    /// Who called sudo, or who is logged in. A process without a login (a unit, a container, cron) has neither variable, so the owner of the
    /// process is looked up; a user id without a name is given as `uid 1000`.
    static func find(_ variables: [String: String], uid: uid_t = getuid()) -> String {
        for name in ["SUDO_USER", "LOGNAME", "USER"] {
            if let value = variables[name], !value.isEmpty { return value }
        }
        return getpwuid(uid).map { String(cString: $0.pointee.pw_name) } ?? "uid \(uid)"
    }
}
