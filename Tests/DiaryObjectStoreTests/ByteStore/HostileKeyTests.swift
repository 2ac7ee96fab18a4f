import DiaryCore
import Foundation
import Testing

@testable import DiaryObjectStore

@Suite("Hostile keys")
struct HostileKeyTests {
    /// Every hostile piece in every place of a key.
    static let keys: [String] = {
        let id = "00000000-0000-7000-8000-00000000000a"
        let pieces = [
            "..", ".", "...", "../..", "%2e%2e", "%2E%2E", "%2e.", "..%2f", "%2f", "%5c", "\\", "..\\..", "\0", "%00", "\u{2024}\u{2024}",
            "\u{FF0E}\u{FF0E}", "\u{2025}", "\u{2044}", "\u{FF0F}", "\u{2215}", " ", "%20", "~", "~root", "$HOME", "CON", "*", "|", ";",
            "\n", "\r\n",
            "\u{202E}", "%c0%ae%c0%ae", "%252e%252e", "", "-", "{}", "\u{FEFF}", String(repeating: "a", count: 4096), "/etc/passwd",
            id.uppercased(), "{\(id)}", id + "\u{0}", id + ".", id.replacingOccurrences(of: "-", with: ""),
            "urn:uuid:" + id, id + "\u{0301}", id.replacingOccurrences(of: "0", with: "\u{FF10}"), String(id.dropLast()), id + "0",
        ]
        return pieces.flatMap { piece in
            [
                "staging/\(id)/\(id)/\(piece)", "staging/\(id)/\(piece)/\(id)", "staging/\(piece)/\(id)/\(id)",
                "\(piece)/\(id)/\(id)/\(id)",
                "staging/\(id)/\(id)/\(id)/\(piece)", "\(piece)/staging/\(id)/\(id)/\(id)", "staging/\(id)/\(id)/\(piece)/\(id)",
            ]
        }
    }()

    @Test("D8: hostile keys are no keys, and no upload path carries one")
    func refused() throws {
        #expect(Set(Self.keys).count >= 200)
        let genuine = try UploadRequest()

        for key in Self.keys {
            #expect(ObjectKey(path: key) == nil, "\(key.debugDescription)")
            var request = genuine
            request.path = "/objects/" + key
            #expect(throws: UploadRefusal.path, "\(key.debugDescription)") { try request.verify() }
        }
    }

    @Test("D8: a link planted anywhere in the tree is refused and what it points to stays untouched", arguments: 0..<3)
    func links(depth: Int) async throws {
        let disk = try TestDisk()
        let key = disk.key()
        let outside = disk.folder.appending(path: "outside")
        let target = depth == 2 ? outside.appending(path: "canary") : outside
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        try Data("canary".utf8).write(to: outside.appending(path: "canary"))
        let names = key.description.split(separator: "/").map(String.init)
        let link = names[...(depth + 1)].reduce(disk.root) { $0.appending(path: $1) }
        try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)

        await #expect(throws: ObjectStoreError.damaged) { try await disk.put(key, [1, 2, 3]) }
        await #expect(throws: ObjectStoreError.damaged) { try await disk.store.facts(key) }
        await #expect(throws: ObjectStoreError.damaged) { try await disk.read(key) }
        await #expect(throws: ObjectStoreError.damaged) { try await disk.store.promote(key, to: key.promoted, sealedBy: disk.dataKey) }
        _ = try? await disk.store.delete(key)
        _ = try? await disk.store.removeAll(of: Owner(tenant: key.tenant, user: key.user), most: .max)
        _ = try await disk.store.list(.staging, olderThan: .distantFuture, after: nil, limit: 1_000)

        let left = try FileManager.default.contentsOfDirectory(atPath: outside.path)
        #expect(left == ["canary"])
        #expect(try Data(contentsOf: outside.appending(path: "canary")) == Data("canary".utf8))
        #expect(try disk.temporaryNames().isEmpty)
    }

    @Test("D8: a pipe or a folder in an object's place is refused without waiting")
    func otherFiles() async throws {
        let disk = try TestDisk()
        for isPipe in [true, false] {
            let key = disk.key()
            let place = disk.file(key)
            try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            if isPipe { mkfifo(place.path, 0o600) } else { mkdir(place.path, 0o700) }

            await #expect(throws: ObjectStoreError.damaged) { try await disk.store.facts(key) }
            await #expect(throws: ObjectStoreError.damaged) { try await disk.put(key, [1]) }
        }
    }
}
