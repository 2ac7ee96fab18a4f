import Foundation
import TestPrograms

/// A Redis server for this process, on a Unix socket in a private folder; it writes nothing to disk unless configured to.
/// It ends with this process, however that ends: a shell between them holds a pipe and kills the server when the pipe closes.
package actor PrivateRedis {
    package enum Failure: Error { case noFolder, notReady, command(Int) }

    /// 0700, under /tmp: a socket's path may have 107 bytes.
    package nonisolated let folder: String
    package nonisolated let socket: String
    private let arguments: [String]
    private var shell: LeashedProgram?

    /// - Parameter arguments: further options of redis-server, e.g. `["--port", "7001"]`.
    package static func start(_ arguments: [String] = []) async throws -> PrivateRedis {
        let redis = try PrivateRedis(arguments)
        try await redis.start()
        return redis
    }

    private init(_ arguments: [String]) throws {
        var template = Array("/tmp/rds-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.noFolder }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        socket = folder + "/s"
        self.arguments = arguments
    }

    /// `redis+unix://…`
    package nonisolated var url: String { "redis+unix://\(socket)" }

    /// Returns when the server answers. Does nothing while it runs.
    package func start() async throws {
        guard shell == nil else { return }
        // Unless it is started again, the folder is removed with the server.
        let script = """
            exec 2>/dev/null
            d=$1; shift
            redis-server "$@" </dev/null >"$d/log" 2>&1 & p=$!
            echo $p >"$d/pid"
            cat >/dev/null
            kill -9 $p 2>/dev/null; wait $p 2>/dev/null
            [ -e "$d/keep" ] || rm -rf "$d"
            """
        unlink(folder + "/keep")
        let shell = try LeashedProgram(
            ["/bin/sh", "-c", script, "sh", folder] + [
                "--unixsocket", socket, "--port", "0", "--dir", folder, "--save", "", "--appendonly", "no", "--daemonize", "no",
            ] + arguments)
        self.shell = shell
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline, shell.isRunning {
            // Checks for the socket first: a ping starts a program.
            guard access(socket, F_OK) == 0 else {
                try await Task.sleep(for: .milliseconds(5))
                continue
            }
            // NOAUTH is an answer, too.
            if let reply = try? await cli("PING"), reply.hasPrefix("PONG") || reply.hasPrefix("NOAUTH") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        self.shell = nil
        throw Failure.notReady
    }

    /// Kills it (SIGKILL) and returns when it is gone. The folder stays, so that `start` brings it back in the same place.
    package func stop() async throws {
        guard let shell else { return }
        _ = FileManager.default.createFile(atPath: folder + "/keep", contents: nil)
        shell.letGo()
        try await shell.ended()
        unlink(socket)
        self.shell = nil
    }

    /// Ends it and removes its folder.
    package func end() async throws {
        try await stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// FLUSHALL
    package func flush() async throws { _ = try await cli("FLUSHALL") }

    /// SIGSTOP: the socket stays open without answers.
    package func freeze() throws { try signal(SIGSTOP) }

    package func thaw() throws { try signal(SIGCONT) }

    /// One command by redis-cli; its output without the last line break.
    @discardableResult
    package func cli(_ words: String...) async throws -> String {
        let ending = try await TestProgram.run(["redis-cli", "-s", socket] + words, errors: .discarded)
        guard ending.status == 0 else { throw Failure.command(ending.status) }
        return ending.text.trimmingCharacters(in: .newlines)
    }

    private func signal(_ number: Int32) throws {
        let text = try String(contentsOfFile: folder + "/pid", encoding: .utf8)
        guard let pid = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), kill(pid, number) == 0 else { throw Failure.notReady }
    }
}
