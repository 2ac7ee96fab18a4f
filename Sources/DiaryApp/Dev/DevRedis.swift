import FoundationEssentials

/// A private Redis on a Unix socket. What it holds may be lost at any time (D1), so it keeps nothing on disk.
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

    /// Ends what an earlier `kill -9` left, and starts.
    func start() async throws {
        if await isRunning() { await stop() }
        try await launch()
    }

    func launch() async throws {
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

    func stop() async { _ = await tool.succeeds("redis-cli", ["-s", socket, "shutdown", "nosave"]) }

    func isRunning() async -> Bool { (try? await tool.run("redis-cli", ["-s", socket, "ping"]))?.hasPrefix("PONG") ?? false }
}
