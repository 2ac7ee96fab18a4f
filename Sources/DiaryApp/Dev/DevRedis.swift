import FoundationEssentials

/// A private Redis on a Unix socket. What it holds may be lost at any time (decision D1), so it keeps nothing on disk.
struct DevRedis: Sendable {
    let socket: String
    let folder: String
    let tool: Tool

    init(_ folder: DevFolder) {
        socket = folder.runFolder + "/redis.sock"
        self.folder = folder.runFolder
        tool = folder.tool
    }

    var url: String { "redis+unix://\(socket)" }

    /// Ends a server that an earlier `kill -9` left, and starts.
    func start() async throws {
        await stop()
        try await launch()
    }

    func launch() async throws {
        try await processes.end()
        try await tool.run(
            "redis-server",
            [
                "--port", "0", "--unixsocket", socket, "--unixsocketperm", "700", "--dir", folder, "--save", "", "--appendonly", "no",
                "--daemonize", "yes", "--logfile", folder + "/redis.log", "--maxmemory", "64mb", "--maxmemory-policy", "noeviction",
            ])
        for _ in 0..<100 {
            if await isRunning() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Tool.Failed(program: "redis-server", detail: "does not answer on its socket")
    }

    func stop() async {
        if await isRunning() { _ = await client(["shutdown", "nosave"]) }
        try? await processes.end()
    }

    func isRunning() async -> Bool { await client(["ping"])?.hasPrefix("PONG") ?? false }

    private var processes: ServerProcesses { ServerProcesses(program: "redis-server", folder: folder) }

    /// With a timeout: a stopped process accepts connections and never answers.
    private func client(_ words: [String]) async -> String? {
        try? await tool.run("timeout", ["5", "redis-cli", "-s", socket] + words)
    }
}
