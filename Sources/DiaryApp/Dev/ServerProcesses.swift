import FoundationEssentials
import Glibc

/// Processes whose working folder is a server's data folder, which is so for Postgres and Redis. The number in a pid file is not reliable:
/// after a crash another process may have it.
struct ServerProcesses {
    let program: String
    let folder: String

    func all() -> [pid_t] {
        var home = stat()
        guard stat(folder, &home) == 0 else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { isServer($0, home) }
    }

    func contains(_ process: pid_t) -> Bool {
        var home = stat()
        return process > 0 && stat(folder, &home) == 0 && isServer(process, home)
    }

    /// Ends the remaining processes of a server that was killed or hangs: waits for them, then SIGTERM, then SIGKILL.
    /// - Parameter asking: begins with SIGTERM, for a server that was told nothing yet.
    func end(asking: Bool = false) async throws {
        for (signal, seconds) in [(Int32(0), asking ? 0 : 2.0), (SIGTERM, 3), (SIGKILL, 5)] {
            if signal != 0 { for process in all() { kill(process, signal) } }
            let deadline = ContinuousClock.now + .seconds(seconds)
            while ContinuousClock.now < deadline {
                if all().isEmpty { return }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        guard all().isEmpty else { throw Tool.Failed(program: program, detail: "an earlier one on \(folder) cannot be ended") }
    }

    private func isServer(_ process: pid_t, _ home: stat) -> Bool {
        var there = stat()
        guard stat("/proc/\(process)/cwd", &there) == 0, (there.st_dev, there.st_ino) == (home.st_dev, home.st_ino),
            let name = FileManager.default.contents(atPath: "/proc/\(process)/comm")
        else { return false }
        return String(decoding: name, as: UTF8.self).split(separator: "\n").first.map(String.init) == program
    }
}
