import Foundation
import Testing

@testable import BlockingCalls

@Suite("A file in a folder that another program writes to", .timeLimit(.minutes(1)))
struct UntrustedFileTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(component: "untrusted-\(UUID().uuidString)").path()

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String, _ name: String) throws -> String {
            try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
            return "\(path)/\(name)"
        }
    }

    @Test("is read in pieces, to its end")
    func read() throws {
        let folder = try Folder()
        let file = try #require(UntrustedFile(try folder.write("abcdef", "a")))

        #expect(file.size == 6)
        #expect(file.read(at: 0, count: 4) == Array("abcd".utf8))
        #expect(file.read(at: 4, count: 4) == Array("ef".utf8))
        #expect(file.read(at: 6, count: 4)?.isEmpty == true)
    }

    @Test("a link, a second name, a pipe, a folder or nothing in its place is not opened, and no call waits", arguments: 0..<5)
    func planted(kind: Int) throws {
        let folder = try Folder()
        let secret = try folder.write("secret", "secret")
        let place = "\(folder.path)/place"
        let plant: [(String) -> Int32] = [
            { symlink(secret, $0) }, { link(secret, $0) }, { mkfifo($0, 0o600) }, { mkdir($0, 0o700) }, { _ in 0 },
        ]
        try #require(plant[kind](place) == 0)

        #expect(UntrustedFile(place) == nil)
        #expect(UntrustedFile.descriptor(of: place, isWritten: true) == nil)
    }

    @Test("what takes its place after it was opened is not read")
    func exchanged() throws {
        let folder = try Folder()
        let secret = try folder.write("secret", "secret")
        let file = try #require(UntrustedFile(try folder.write("sound", "place")))

        try FileManager.default.removeItem(atPath: file.path)
        #expect(file.read(at: 0, count: 9) == nil)
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: secret)
        #expect(file.read(at: 0, count: 9) == nil)
    }
}
