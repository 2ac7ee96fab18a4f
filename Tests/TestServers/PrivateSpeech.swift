import Foundation
import TestPrograms

/// The speech server of `speech/` for this process, on a Unix socket, with the small English model of `scripts/speech --tests`. It ends
/// with this process, however that ends.
package actor PrivateSpeech {
    package enum Failure: Error { case notReady }

    private static let started = Task { try await PrivateSpeech() }

    /// One for all tests: loading the model takes seconds.
    package static func shared() async throws -> PrivateSpeech { try await started.value }

    package nonisolated let socket: String
    private let program: LeashedProgram

    private init() async throws {
        guard let folder = ServerFolder.make("spk") else { throw Failure.notReady }
        socket = folder + "/s"
        let caches = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
        let home = caches + "/diary/speech"
        let server = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(component: "speech/server.py").path()
        let script = """
            exec 2>/dev/null
            d=$1; shift
            "$@" </dev/null & p=$!
            cat >/dev/null
            kill -9 $p 2>/dev/null; wait $p 2>/dev/null
            rm -rf "$d"
            """
        program = try LeashedProgram(
            ["/bin/sh", "-c", script, "sh", folder, home + "/venv/bin/python", server, "--socket", socket, "--model", home + "/tiny.en"])
        let deadline = ContinuousClock.now + .seconds(120)
        while access(socket, F_OK) != 0 {
            guard ContinuousClock.now < deadline, program.isRunning else { throw Failure.notReady }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
