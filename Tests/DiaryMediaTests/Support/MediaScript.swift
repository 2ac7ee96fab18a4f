import FoundationEssentials
import Testing

@testable import DiaryMedia

/// The scripts of `Tests/blackbox` that write recordings, which black-box tests use too.
enum MediaScript {
    static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(components: "blackbox", name).path()
    }

    /// - Returns: the words of each line that it prints.
    static func run(_ name: String, _ arguments: [String], in folder: JobFolder) async throws -> [[String]] {
        let child = ChildProcess(
            program: "python3", arguments: [path(name)] + arguments, folder: folder.path,
            limits: ChildLimits(cpuSeconds: 120, wallSeconds: 240, addressSpace: 2 << 30, fileSize: 1 << 28))
        let outcome = try await child.run(in: Sandbox(isolation: .limitsOnly))
        try #require(outcome.isSuccess)
        return String(decoding: outcome.standardOutput, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: " ").map(String.init) }
    }
}
