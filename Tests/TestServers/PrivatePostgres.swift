import Foundation
import TestPrograms

/// A Postgres server for this process, on a Unix socket in a private folder.
/// It ends with this process, however that ends: a shell between them holds a pipe and stops the server when the pipe closes.
///
/// With `DIARY_TEST_POSTGRES` set (keyword/value conninfo of a running private superuser), `shared()` uses that server instead.
package actor PrivatePostgres {
    package enum Failure: Error { case noFolder, notReady(log: String), command(Int, String), notOurs }

    package enum StopMode: String, Sendable {
        /// Ends sessions, writes a checkpoint (SIGINT).
        case fast = "INT"
        /// As after a crash: recovers at the next start (SIGQUIT).
        case immediate = "QUIT"
    }

    /// Without database and user.
    private nonisolated let base: String
    /// nil for a server started elsewhere.
    package nonisolated let folder: String?
    private let options: [String]
    private var shell: LeashedProgram?

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
        guard let folder = ServerFolder.make("dpg") else { throw Failure.noFolder }
        self.folder = folder
        base = "host=\(folder)"
        self.options = options
        if getuid() == 0 {
            guard let postgres = getpwnam("postgres"), chown(folder, postgres.pointee.pw_uid, postgres.pointee.pw_gid) == 0 else {
                throw Failure.noFolder
            }
        }
    }

    package nonisolated func conninfo(database: String = "postgres", user: String = "postgres") -> String {
        "\(base) dbname='\(database)' user='\(user)'"
    }

    // MARK: Databases

    /// An empty database with a unique name.
    package func newDatabase(owner: String = "postgres") async throws -> String {
        let name = "t_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await createDatabase(name, owner: owner)
        return name
    }

    package func createDatabase(_ name: String, owner: String = "postgres") async throws {
        try await sql("create database \"\(name)\" strategy file_copy owner \"\(owner)\"")
    }

    package func dropDatabase(_ name: String) async throws {
        try await sql("drop database if exists \"\(name)\" with (force)")
    }

    /// Runs SQL as the superuser, each statement its own transaction, and returns psql's unaligned output.
    @discardableResult
    package nonisolated func sql(_ texts: String..., database: String = "postgres", user: String = "postgres") async throws -> String {
        let psql = try await Self.binaries.value + "/psql"
        let ending = try await TestProgram.run(
            [psql, "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", conninfo(database: database, user: user)] + texts.flatMap { ["-c", $0] },
            errors: .joined)
        guard ending.status == 0 else { throw Failure.command(ending.status, ending.text) }
        return ending.text.trimmingCharacters(in: .newlines)
    }

    // MARK: Starting and stopping

    /// Returns when the server answers. Does nothing while it runs.
    package func start() async throws {
        let binaries = try await Self.binaries.value
        guard shell == nil else { return }
        guard let folder else { throw Failure.notOurs }
        let script = """
            exec 2>/dev/null
            d=$1; b=$2; shift 2
            [ -e "$d/data/PG_VERSION" ] || "$b/initdb" -D "$d/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$d/log" 2>&1 || exit 1
            "$b/postgres" -D "$d/data" "$@" </dev/null >>"$d/log" 2>&1 & p=$!
            cat >/dev/null
            # Repeats: the server ignores both signals until it has installed its handlers.
            while kill -$(cat "$d/stop" || echo QUIT) $p; do sleep 0.05; done; wait $p
            [ -e "$d/stop" ] || rm -rf "$d"
            """
        let settings =
            [
                "listen_addresses=", "unix_socket_directories=\(folder)", "fsync=off", "full_page_writes=off",
                // Tests run in parallel, each database with its own pools: 190 connections were seen at once.
                "max_connections=600",
                "shared_buffers=64MB", "log_error_verbosity=terse", "log_parameter_max_length_on_error=0", "log_min_error_statement=panic",
            ] + options
        var command = ["/bin/sh", "-c", script, "sh", folder, binaries] + settings.flatMap { ["-c", $0] }
        if getuid() == 0 {
            command = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] + command
        }
        unlink(folder + "/stop")
        let shell = try LeashedProgram(command)
        self.shell = shell
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline, shell.isRunning {
            if try await TestProgram.run([binaries + "/pg_isready", "-q", "-d", conninfo()]).status == 0 { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        self.shell = nil
        throw Failure.notReady(log: (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "")
    }

    /// Stops it and returns when it is gone. The folder stays, so that `start` brings it back in the same place.
    package func stop(_ mode: StopMode = .fast) async throws {
        guard let folder else { throw Failure.notOurs }
        guard let shell else { return }
        try Data(mode.rawValue.utf8).write(to: URL(fileURLWithPath: folder + "/stop"))
        try await end(shell)
    }

    /// Ends it and removes its folder.
    package func remove() async throws {
        guard let folder, let shell else { return }
        unlink(folder + "/stop")
        try await end(shell)
    }

    private func end(_ shell: LeashedProgram) async throws {
        self.shell = nil
        shell.letGo()
        try await shell.ended()
    }

    /// Where the server's programs are.
    private static let binaries = Task { () async throws -> String in
        let debian = "/usr/lib/postgresql/15/bin"
        if FileManager.default.isExecutableFile(atPath: debian + "/postgres") { return debian }
        let said = try await TestProgram.run(["pg_config", "--bindir"]).text
        return said.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
