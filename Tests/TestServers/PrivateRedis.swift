import Foundation

/// A redis-server of this process alone, on a Unix socket in a folder of its own; nothing is written to disk unless asked for.
/// It ends with this process however that ends: a shell in between holds a pipe and kills the server when the pipe closes.
package actor PrivateRedis {
    package enum Failure: Error { case noFolder, notReady, command(Int32) }

    /// 0700, under /tmp: a socket's path may have 107 bytes.
    package nonisolated let folder: String
    package nonisolated let socket: String
    private let arguments: [String]
    private var shell: Process?
    private var leash: Pipe?

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

    deinit {
        try? leash?.fileHandleForWriting.close()
    }

    /// `redis+unix://…`
    package nonisolated var url: String { "redis+unix://\(socket)" }

    /// Returns when it answers. Does nothing while it runs.
    package func start() async throws {
        guard shell == nil else { return }
        let shell = Process()
        let leash = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Without `start` again the folder goes with the last server.
        let script = """
            d=$1; shift
            redis-server "$@" </dev/null >"$d/log" 2>&1 & p=$!
            echo $p >"$d/pid"
            cat >/dev/null
            kill -9 $p 2>/dev/null; wait $p 2>/dev/null
            [ -e "$d/keep" ] || rm -rf "$d"
            """
        shell.arguments =
            ["-c", script, "sh", folder] + [
                "--unixsocket", socket, "--port", "0", "--dir", folder, "--save", "", "--appendonly", "no", "--daemonize", "no",
            ] + arguments
        shell.standardInput = leash
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        unlink(folder + "/keep")
        try shell.run()
        self.shell = shell
        self.leash = leash
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            // NOAUTH is an answer too.
            if let reply = try? await cli("PING"), reply.hasPrefix("PONG") || reply.hasPrefix("NOAUTH") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Failure.notReady
    }

    /// Kills it (SIGKILL) and returns when it is gone. The folder stays, so that `start` brings it back in the same place.
    package func stop() async throws {
        guard let shell, let leash else { return }
        FileManager.default.createFile(atPath: folder + "/keep", contents: nil)
        try leash.fileHandleForWriting.close()
        await ended(shell)
        unlink(socket)
        self.shell = nil
        self.leash = nil
    }

    /// Ends it and removes its folder.
    package func end() async throws {
        try await stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// FLUSHALL
    package func flush() async throws { _ = try await cli("FLUSHALL") }

    /// SIGSTOP: the socket is open and nobody answers.
    package func freeze() throws { try signal(SIGSTOP) }

    package func thaw() throws { try signal(SIGCONT) }

    /// One command by redis-cli; its output without the last line break.
    @discardableResult
    package func cli(_ words: String...) async throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["redis-cli", "-s", socket] + words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { (done: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { done.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { done.resume(throwing: error) }
        }
        guard status == 0 else { throw Failure.command(status) }
        let bytes = (try output.fileHandleForReading.readToEnd()) ?? Data()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    private func signal(_ number: Int32) throws {
        let text = try String(contentsOfFile: folder + "/pid", encoding: .utf8)
        guard let pid = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), kill(pid, number) == 0 else { throw Failure.notReady }
    }

    private nonisolated func ended(_ process: Process) async {
        while process.isRunning { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
