import FoundationEssentials

/// A private speech server on a Unix socket: Whisper, as `scripts/speech` fetches it. Without it recordings wait.
struct DevSpeech: Sendable {
    let socket: String
    /// Where `scripts/speech` puts the packages and the model.
    let home: String
    let model: String
    private let program: String
    private let folder: String
    private let log: String

    /// - Parameter files: those that ship beside the program, the server among them.
    init(_ folder: DevFolder, _ files: InstalledFiles, _ environment: Environment) throws(SettingsError) {
        socket = folder.runFolder + "/speech.sock"
        self.folder = folder.runFolder
        log = folder.path + "/speech.log"
        program = files.folder + "/speech/server.py"
        home = try Self.home(environment)
        let chosen = try environment.read(MediaSettings.whisperModel)
        model = chosen ?? home + "/base"
    }

    /// The user's cache, or what the package's command has made for the whole machine.
    private static func home(_ environment: Environment) throws(SettingsError) -> String {
        let (caches, home) = (try environment.text(.caches), try environment.text(.home))
        let user = caches ?? (home ?? "") + "/.cache"
        return [user + "/diary/speech", "/var/lib/diary-speech"].first { exists($0 + "/venv/bin/python") } ?? user + "/diary/speech"
    }

    /// What is not there of what it needs; nil when it can start.
    var missing: String? { [program, python, model + "/model.bin"].first { !Self.exists($0) } }

    private var python: String { home + "/venv/bin/python" }
    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Starts it, ending one that an earlier `kill -9` left, and does not wait: loading the model takes seconds.
    func launch() async throws {
        guard missing == nil else { return }
        try await processes.end()
        // As this process's user, who may read the cache. It reads samples that the sandboxed decoder wrote, and no files of others.
        try await Tool().run(
            "sh",
            [
                "-c", "log=$1; shift; exec setsid --fork \"$@\" >>\"$log\" 2>&1 </dev/null", "sh", log, python, program, "--socket", socket,
                "--model", model,
            ], in: folder)
    }

    /// Waits until it answers, or has ended.
    func untilReady() async throws {
        for _ in 0..<600 where missing == nil {
            if UnixSocket.answers(socket) { return }
            try await Task.sleep(for: .milliseconds(100))
            if !isRunning() { break }
        }
    }

    func stop() async { try? await processes.end(asking: true) }

    func isRunning() -> Bool { !processes.all().isEmpty }

    /// The name that the server gives itself.
    private var processes: ServerProcesses { ServerProcesses(program: "diary-speech", folder: folder) }
}
