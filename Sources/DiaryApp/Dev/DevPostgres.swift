import DiaryDatabase
import FoundationEssentials
import Glibc
import Logging

/// A private Postgres on a Unix socket: the distribution's own binaries, the same SQL as in production (D12).
struct DevPostgres: Sendable {
    let binaries: String
    let data: String
    let sockets: String
    let log: String
    let tool: Tool

    init(_ folder: DevFolder) throws {
        binaries = try Self.findBinaries()
        data = folder.data + "/postgres"
        sockets = folder.runFolder
        log = folder.data + "/postgres.log"
        tool = folder.tool
    }

    func conninfo(_ database: String) -> String { "host=\(sockets) dbname=\(database)" }

    /// Makes the cluster at the first start, ends what an earlier `kill -9` left, and starts.
    func start() async throws {
        if !(await exists()) {
            // Into a side folder, renamed when whole: a killed initdb leaves nothing that looks like a cluster.
            try await tool.run("rm", ["-rf", data + ".new"])
            try await tool.run(
                binaries + "/initdb",
                ["-D", data + ".new", "-U", "postgres", "-A", "trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions"])
            try await tool.run("mv", ["-T", data + ".new", data])
        }
        try await forgetCopiedServer()
        if await isRunning() { try await stop() }
        try await launch()
    }

    func launch() async throws {
        let options = [
            "listen_addresses=''", "unix_socket_directories='\(sockets)'", "max_connections=80", "shared_buffers=64MB",
            // Nothing of a row in the server's log (G1).
            "log_error_verbosity=terse", "log_min_error_statement=panic", "log_parameter_max_length=0",
            "log_parameter_max_length_on_error=0",
            "log_statement=none",
        ]
        try await tool.run(
            binaries + "/pg_ctl",
            ["start", "-D", data, "-w", "-t", "60", "-s", "-l", log, "-o", options.map { "-c \($0)" }.joined(separator: " ")])
    }

    func stop() async throws {
        try await tool.run(binaries + "/pg_ctl", ["stop", "-D", data, "-w", "-t", "30", "-s", "-m", "fast"])
    }

    func isRunning() async -> Bool { await tool.succeeds(binaries + "/pg_ctl", ["status", "-D", data, "-s"]) }

    /// Roles, databases and schemas; running it again changes nothing.
    func prepare(_ settings: DatabaseSettings, _ share: Share, _ logger: Logger) async throws {
        guard let roles = FileManager.default.contents(atPath: share.roles) else {
            throw SettingsError("DIARY_SHARE", "roles.sql cannot be read")
        }
        let server = try DedicatedConnection(ConnectionSettings(conninfo: conninfo("postgres") + " user=postgres"), logger: logger)
        defer { server.close() }
        try await server.runScript(String(decoding: roles, as: UTF8.self))
        for database in ["diary", "diary_keys"] {
            let known = try await server.run([Statement("select 1 from pg_database where datname = $1", [.text(database)])])
            if known.first?.isEmpty ?? true { try await server.runScript("create database \(database) owner diary_owner") }
            let inside = try DedicatedConnection(ConnectionSettings(conninfo: conninfo(database) + " user=postgres"), logger: logger)
            defer { inside.close() }
            try await inside.runScript("alter schema public owner to diary_owner")
        }
        for schema in Schema.both(settings, share, logger) { try await schema.migrator.up() }
    }

    /// A copied cluster brings the pid file of the one it was copied from. That server may run, and is not ours to stop.
    private func forgetCopiedServer() async throws {
        func pidFile(_ folder: String) -> [Substring] {
            guard let bytes = FileManager.default.contents(atPath: folder + "/postmaster.pid") else { return [] }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        }
        // Process id, then the folder it was started on.
        let ours = pidFile(data)
        guard ours.count > 1, let process = ours.first else { return }
        let origin = String(ours[1])
        var here = stat()
        var there = stat()
        guard stat(data, &here) == 0, stat(origin, &there) == 0, (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino),
            pidFile(origin).first == process
        else { return }
        try await tool.run("rm", ["-f", data + "/postmaster.pid"])
    }

    private func exists() async -> Bool { await tool.succeeds("test", ["-f", data + "/PG_VERSION"]) }

    /// The newest server of the distribution's.
    private static func findBinaries() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }.sorted(by: >)
        for version in versions where FileManager.default.isExecutableFile(atPath: "\(root)/\(version)/bin/initdb") {
            return "\(root)/\(version)/bin"
        }
        throw SettingsError("PostgreSQL", "the server is not installed: apt-get install postgresql")
    }
}
