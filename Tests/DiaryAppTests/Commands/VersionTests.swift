import Foundation
import Testing

@testable import DiaryApp

@Suite("Version", .timeLimit(.minutes(1)))
struct VersionTests {
    @Test(
        "a packaged program names its build, and one without a package the number of the source",
        arguments: [
            ("0.1.0+20251123.001200.g91a88ba\n", "0.1.0+20251123.001200.g91a88ba"), ("7\n", "0.1.0+7"), ("", nil), ("two words", nil),
            (nil, nil),
        ] as [(String?, String?)])
    func build(content: String?, expected: String?) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("version-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder.appendingPathComponent("bin"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: folder.appendingPathComponent("share/diary"), withIntermediateDirectories: true)
        if let content { try Data(content.utf8).write(to: folder.appendingPathComponent("share/diary/build")) }

        #expect(Version.installed(beside: folder.path + "/bin/diary") == expected)
    }

    @Test("the number is that of openapi.yaml")
    func contract() throws {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path

        #expect(try String(contentsOfFile: root + "/openapi.yaml", encoding: .utf8).contains("\n  version: \(Version.number)\n"))
    }
}
