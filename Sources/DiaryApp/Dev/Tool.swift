import Subprocess
import SystemPackage

/// Runs a program of the distribution to its end.
struct Tool: Sendable {
    struct Failed: Error, CustomStringConvertible {
        let program: String
        let detail: String
        var description: String { "\(program) failed: \(detail)" }
    }

    /// Put before every command line, e.g. to run it as another user.
    var prefix: [String] = []

    /// - Returns: standard output. Standard error joins the error when the exit code is not 0.
    @discardableResult
    func run(_ program: String, _ arguments: [String], in folder: String = "/") async throws -> String {
        let line = prefix + [program] + arguments
        var options = PlatformOptions()
        // A process group of its own: Ctrl-C of a terminal signals only this process, which stops the servers in order.
        options.processGroupID = 0
        let record = try await Subprocess.run(
            line[0].hasPrefix("/") ? .path(FilePath(line[0])) : .name(line[0]), arguments: Arguments(Array(line.dropFirst())),
            workingDirectory: FilePath(folder), platformOptions: options, output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        guard record.terminationStatus.isSuccess else {
            let said = [record.standardError, record.standardOutput].map { $0.trimmed }.first { !$0.isEmpty }
            throw Failed(
                program: program.split(separator: "/").last.map(String.init) ?? program, detail: said ?? "\(record.terminationStatus)")
        }
        return record.standardOutput
    }

    func succeeds(_ program: String, _ arguments: [String], in folder: String = "/") async -> Bool {
        (try? await run(program, arguments, in: folder)) != nil
    }
}
