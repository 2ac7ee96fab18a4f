import Foundation

/// A Postgres of this process alone, on a Unix socket in a folder of its own.
/// It ends with this process however that ends: a shell in between holds a pipe and stops the server when the pipe closes.
///
/// With `DIARY_TEST_POSTGRES` set (keyword/value conninfo of a running private superuser), `shared()` uses that server instead.
package actor PrivatePostgres {
    package enum Failure: Error { case noFolder, notReady(log: String), command(Int32, String), notOurs }

    package enum StopMode: String, Sendable {
        /// Ends sessions, writes a checkpoint (SIGINT).
        case fast = "INT"
        /// As after a crash: recovers at the next start (SIGQUIT).
        case immediate = "QUIT"
    }

    /// Without database and user.
    private nonisolated let base: String
    /// 0700, under /tmp: a socket's path may have 107 bytes. nil for a server that is not ours.
    package nonisolated let folder: String?
    private let options: [String]
    private var shell: Process?
    private var leash: Pipe?

    /// The one server of this test process, started at the first call. A task, so that every caller waits for the same start.
    private static let started = Task { () async throws -> PrivatePostgres in
        if let given = ProcessInfo.processInfo.environment["DIARY_TEST_POSTGRES"], !given.isEmpty {
            return PrivatePostgres(conninfo: given)
        }
        return try await start()
    }

    package static func shared() async throws -> PrivatePostgres { try await started.value }

    /// A server of its own, for tests that stop it.
    /// - Parameter options: settings of the server, e.g. `["max_connections=5"]`.
    package static func start(_ options: [String] = []) async throws -> PrivatePostgres {
        let server = try PrivatePostgres(options)
        try await server.start()
        return server
    }

    private init(conninfo: String) {
        base = conninfo
        folder = nil
        options = []
    }

    private init(_ options: [String]) throws {
        var template = Array("/tmp/dpg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.noFolder }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.folder = folder
        base = "host=\(folder)"
        self.options = options
        if getuid() == 0 {
            guard let postgres = getpwnam("postgres"), chown(folder, postgres.pointee.pw_uid, postgres.pointee.pw_gid) == 0 else {
                throw Failure.noFolder
            }
        }
    }

    deinit {
        try? leash?.fileHandleForWriting.close()
    }

    package nonisolated func conninfo(database: String = "postgres", user: String = "postgres") -> String {
        "\(base) dbname='\(database)' user='\(user)'"
    }

    // MARK: Databases

    /// An empty database with a name nobody else has.
    package func newDatabase(owner: String = "postgres") async throws -> String {
        let name = "t_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await createDatabase(name, owner: owner)
        return name
    }

    package func createDatabase(_ name: String, owner: String = "postgres") async throws {
        try await sql("create database \"\(name)\" owner \"\(owner)\"")
    }

    package func dropDatabase(_ name: String) async throws {
        try await sql("drop database if exists \"\(name)\" with (force)")
    }

    /// Runs SQL as the superuser, each statement its own transaction, and returns psql's unaligned output.
    @discardableResult
    package nonisolated func sql(_ text: String, database: String = "postgres", user: String = "postgres") async throws -> String {
        let psql = Self.binaries + "/psql"
        let (status, output) = try await Self.run(
            psql, ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", conninfo(database: database, user: user), "-c", text])
        guard status == 0 else { throw Failure.command(status, output) }
        return output.trimmingCharacters(in: .newlines)
    }

    // MARK: Starting and stopping

    /// Returns when it answers. Does nothing while it runs.
    package func start() async throws {
        guard shell == nil else { return }
        guard let folder else { throw Failure.notOurs }
        let shell = Process()
        let leash = Pipe()
        let script = """
            d=$1; b=$2; shift 2
            [ -e "$d/data/PG_VERSION" ] || "$b/initdb" -D "$d/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$d/log" 2>&1 || exit 1
            "$b/postgres" -D "$d/data" "$@" </dev/null >>"$d/log" 2>&1 & p=$!
            cat >/dev/null
            kill -$(cat "$d/stop" 2>/dev/null || echo QUIT) $p; wait $p
            [ -e "$d/stop" ] || rm -rf "$d"
            """
        let settings =
            [
                "listen_addresses=", "unix_socket_directories=\(folder)", "fsync=off", "full_page_writes=off", "max_connections=200",
                "shared_buffers=64MB", "log_error_verbosity=terse", "log_parameter_max_length_on_error=0", "log_min_error_statement=panic",
            ] + options
        var command = ["/bin/sh", "-c", script, "sh", folder, Self.binaries] + settings.flatMap { ["-c", $0] }
        if getuid() == 0 {
            command = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] + command
        }
        shell.executableURL = URL(fileURLWithPath: command.removeFirst())
        shell.arguments = command
        shell.currentDirectoryURL = URL(fileURLWithPath: "/tmp")
        shell.standardInput = leash
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        unlink(folder + "/stop")
        try shell.run()
        self.shell = shell
        self.leash = leash
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline, shell.isRunning {
            if try await Self.run(Self.binaries + "/pg_isready", ["-q", "-d", conninfo()]).status == 0 { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Failure.notReady(log: (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "")
    }

    /// Stops it and returns when it is gone. The folder stays, so that `start` brings it back in the same place.
    package func stop(_ mode: StopMode = .fast) async throws {
        guard let folder else { throw Failure.notOurs }
        guard let shell, let leash else { return }
        try Data(mode.rawValue.utf8).write(to: URL(fileURLWithPath: folder + "/stop"))
        try await end(shell, leash)
    }

    /// Ends it and removes its folder.
    package func remove() async throws {
        guard let folder, let shell, let leash else { return }
        unlink(folder + "/stop")
        try await end(shell, leash)
    }

    private func end(_ shell: Process, _ leash: Pipe) async throws {
        self.shell = nil
        self.leash = nil
        try leash.fileHandleForWriting.close()
        await Self.blocking { shell.waitUntilExit() }
    }

    // MARK: Processes

    private static let binaries: String = {
        let debian = "/usr/lib/postgresql/15/bin"
        if FileManager.default.isExecutableFile(atPath: debian + "/postgres") { return debian }
        let config = Process()
        let output = Pipe()
        config.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        config.arguments = ["pg_config", "--bindir"]
        config.standardOutput = output
        guard (try? config.run()) != nil else { return debian }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        config.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }()

    private static func run(_ path: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        try await blocking {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }
    }

    /// Off the cooperative threads.
    private static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
        }
    }

    private static func blocking(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                body()
                continuation.resume()
            }
        }
    }
}
