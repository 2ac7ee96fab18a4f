import DiaryCrypto
import DiaryDatabase
import FoundationEssentials
import Glibc
import Logging
import PostgresClient
import WireFormats

/// A private Postgres on a Unix socket: the distribution's own binaries, the same SQL as in production (decision D12).
struct DevPostgres: Sendable {
    let binaries: String
    let place: DatabaseFolder
    let sockets: String
    let tool: Tool

    private var data: String { place.path + "/postgres" }
    private var processes: ServerProcesses { ServerProcesses(program: "postgres", folder: data) }

    init(_ folder: DevFolder, binaries: String) {
        self.binaries = binaries
        place = folder.databases
        sockets = folder.runFolder
        tool = folder.tool
    }

    func conninfo(_ database: String) -> String { "host=\(sockets) port=5432 dbname=\(database)" }

    /// Makes the cluster at the first start, ends what an earlier `kill -9` left, and starts.
    func start() async throws {
        if !place.isMade, !(await tool.succeeds("test", ["-f", data + "/PG_VERSION"])) { try await makeCluster() }
        try place.noteMade()
        if isRunning() { try await stop() }
        try disownForeignProcess()
        // Children of a killed server still hold its memory; a new one would refuse to start.
        try await processes.end()
        try await launch()
    }

    /// Into a side folder, renamed when complete: a killed initdb leaves nothing that looks like a cluster.
    private func makeCluster() async throws {
        _ = await tool.succeeds("find", [place.path, "-maxdepth", "1", "-name", "postgres.new-*", "-exec", "rm", "-rf", "{}", "+"])
        let new = "postgres.new-\(Hex.encode(SecureRandom.bytes(4)))"
        if let user = tool.prefix.isEmpty ? nil : try ServerUser.current() {
            guard mkdir("\(place.path)/\(new)", 0o700) == 0, chown("\(place.path)/\(new)", user.uid, user.gid) == 0 else {
                throw SettingsError("--folder", "\(place.path) cannot be written: \(String(cString: strerror(errno)))")
            }
        }
        try await tool.run(
            binaries + "/initdb",
            ["-D", new, "-U", "postgres", "-A", "trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions"], in: place.path)
        guard rename("\(place.path)/\(new)", data) == 0 else {
            throw SettingsError("--folder", "\(data) cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    func launch() async throws {
        let options = [
            "listen_addresses=''", "port=5432", "unix_socket_directories='\(sockets)'", "max_connections=80", "shared_buffers=64MB",
            // The server's log must not hold content of rows (G1).
            "log_error_verbosity=terse", "log_min_error_statement=panic", "log_parameter_max_length=0",
            "log_parameter_max_length_on_error=0",
            "log_statement=none",
        ]
        // In the data folder with paths relative to it: pg_ctl puts its arguments into a shell command.
        do {
            try await tool.run(
                binaries + "/pg_ctl",
                ["start", "-D", ".", "-w", "-t", "60", "-s", "-l", "server.log", "-o", options.map { "-c \($0)" }.joined(separator: " ")],
                in: data)
        } catch let failure as Tool.Failed {
            throw Tool.Failed(program: "postgres", detail: "\(failure.detail)\n\(logTail())")
        }
    }

    func stop() async throws {
        if await tool.succeeds(binaries + "/pg_ctl", ["stop", "-D", ".", "-w", "-t", "30", "-s", "-m", "fast"], in: data) { return }
        try await processes.end()
    }

    /// Whether the pid file names a running server of this cluster.
    func isRunning() -> Bool { (pidFile().first.flatMap { pid_t($0) }).map(processes.contains) ?? false }

    /// Roles, databases and schemas; running it again changes nothing.
    func prepare(_ settings: DatabaseSettings, _ installedFiles: InstalledFiles, _ logger: Logger) async throws {
        guard let roles = FileManager.default.contents(atPath: installedFiles.roles) else {
            throw SettingsError(InstalledFiles.setting, "roles.sql cannot be read")
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
        for schema in try Schema.both(settings, installedFiles, logger) { try await schema.migrator.up() }
    }

    /// The pid file of a copied cluster names the server it was copied from, and after a crash of the machine any process may have the
    /// number. Postgres would treat either process as itself and not start. Only the number is replaced: the other lines
    /// let Postgres find its own leftovers.
    private func disownForeignProcess() throws {
        let lines = pidFile()
        guard let process = lines.first.flatMap({ pid_t($0) }), kill(process, 0) == 0 || errno == EPERM, !processes.contains(process) else {
            return
        }
        let text = ([String(pid_t.max)] + lines.dropFirst().map(String.init)).joined(separator: "\n")
        let descriptor = open(data + "/postmaster.pid", O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SettingsError("--folder", "\(data)/postmaster.pid cannot be written") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SettingsError("--folder", "\(data)/postmaster.pid cannot be written")
        }
    }

    private func pidFile() -> [Substring] {
        guard let bytes = FileManager.default.contents(atPath: data + "/postmaster.pid") else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private func logTail() -> String {
        guard let bytes = FileManager.default.contents(atPath: data + "/server.log") else { return "" }
        return String(decoding: bytes.suffix(2_000), as: UTF8.self).split(separator: "\n").suffix(4).joined(separator: "\n")
    }

    /// The newest server of the distribution's.
    static func findBinaries() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }.sorted(by: >)
        for version in versions
        where ["initdb", "pg_ctl", "postgres"].allSatisfy({ FileManager.default.isExecutableFile(atPath: "\(root)/\(version)/bin/\($0)") })
        {
            return "\(root)/\(version)/bin"
        }
        throw NeededPrograms.Missing(programs: ["the Postgres server"], packages: ["postgresql"])
    }
}
