import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryMedia

/// A job's folder, deleted with this object.
final class JobFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(component: "media-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    @discardableResult
    func write(_ text: String, _ name: String) throws -> String { try write(Array(text.utf8), name) }

    /// A file of this folder as the verify job would pass it on.
    func verified(_ name: String, seconds: Double, contentType: String = "audio/mp4") -> VerifiedRecording {
        VerifiedRecording(path: "\(path)/\(name)", folder: path, contentType: contentType, durationSeconds: seconds)
    }

    func read(_ name: String) throws -> [UInt8] { try Samples.bytes("\(path)/\(name)") }

    /// Bytes of all its files.
    var size: Int { names.compactMap { JobFile("\(path)/\($0)", in: path)?.size }.reduce(0, +) }

    func empty(keeping kept: Set<String> = []) throws {
        for name in names where !kept.contains(name) { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

enum Samples {
    static var folder: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(component: "Samples").path()
    }

    static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    static func walk() throws -> [UInt8] { try bytes("\(folder)/walk.m4a") }

    static func reference() throws -> String { String(decoding: try bytes("\(folder)/walk.txt"), as: UTF8.self) }
}

/// The sandbox of this machine, detected once for all tests.
enum TestSandbox {
    private static let detected = Task { () -> Sandbox in
        do { return try await Sandbox.detect() } catch {
            Issue.record("\(error)")
            return Sandbox(isolation: .limitsOnly)
        }
    }
    static func shared() async -> Sandbox { await detected.value }
}

/// Makes media with ffmpeg, in the folder.
func ffmpeg(_ folder: JobFolder, _ arguments: [String]) async throws {
    let child = ChildProcess(
        program: "ffmpeg", arguments: ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + arguments, folder: folder.path,
        limits: ChildLimits(cpuSeconds: 60, wallSeconds: 300, addressSpace: 2 << 30, fileSize: 1 << 28))
    let outcome = try await child.run(in: await TestSandbox.shared())
    try #require(outcome.isSuccess)
}

extension [UInt8] {
    func holds(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return false }
        return indices.contains { self[$0] == first && self[$0...].starts(with: wanted) }
    }
}
