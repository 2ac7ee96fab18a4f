import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ZipArchive

@Suite("Archives that are made while they are read", .timeLimit(.minutes(2)))
struct StreamedZipTests {
    private static let modified = ZipTimestamp(year: 2026, month: 3, day: 1, hour: 9, minute: 0, second: 0)

    /// A member of pieces of this length.
    private static func streamed(_ path: String, _ content: [UInt8], piece: Int, length: Int? = nil) -> StreamedZip.Member {
        StreamedZip.Member(
            path: path, modified: modified,
            content: .streamed(length: Int64(length ?? content.count)) {
                let position = Mutex(0)
                return {
                    position.withLock { position in
                        guard position < content.count else { return nil }
                        defer { position += piece }
                        return Array(content[position..<min(position + piece, content.count)])
                    }
                }
            })
    }

    private static func packed(_ path: String, _ text: String) throws -> StreamedZip.Member {
        let (bytes, facts) = try Deflater().pack(Array(text.utf8))
        return StreamedZip.Member(path: path, modified: modified, content: .packed(bytes, facts))
    }

    private static func whole(_ zip: StreamedZip) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await zip.next() { bytes += piece }
        return bytes
    }

    @Test(
        "others read it, also without seeking, and its length was known before",
        arguments: [(0, 1), (1, 1), (65_535, 65_536), (65_536, 7_001), (131_070, 262_144), (3_000_001, 262_144)])
    func members(count: Int, piece: Int) async throws {
        let folder = try TestFolder()
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let zip = try StreamedZip([
            try Self.packed("text/a.txt", String(repeating: "Grüße ", count: 500)), Self.streamed("audio/u.m4a", content, piece: piece),
            try Self.packed("manifest.json", "{}"),
        ])

        let bytes = try await Self.whole(zip)

        #expect(Int64(bytes.count) == zip.size)
        #expect(try await zip.next() == nil)
        let target = try UnlinkedTempFile(folder: folder.path)
        try target.append(bytes)
        let path = try folder.copy(target)
        #expect(
            try await Tool.run("python3", "-c", "import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None", path).status
                == 0)
        #expect(try await Tool.run("unzip", "-tqq", path).status == 0)
        let streamed = try await Tool.run("sh", "-c", "bsdtar -xOf - audio/u.m4a < \(path) | sha256sum; sha256sum /dev/null")
        let known = try await Tool.run("sh", "-c", "unzip -p \(path) audio/u.m4a | sha256sum; sha256sum /dev/null")
        #expect(streamed.output == known.output, "\(streamed.output)")

        var entries: [ZipEntry] = []
        let reader = try ZipReader(target) { entries.append($0) }
        #expect(entries.map(\.path) == ["text/a.txt", "audio/u.m4a", "manifest.json"])
        let member = try reader.open(try #require(entries.first { $0.path == "audio/u.m4a" }))
        var read: [UInt8] = []
        while true {
            let piece = try member.read(max: 1 << 18)
            if piece.isEmpty { break }
            read += piece
        }
        #expect(read == content)
    }

    @Test("a member with other bytes than it said ends the archive, and so does a source that fails", arguments: [3, 5])
    func mismatch(length: Int) async throws {
        let zip = try StreamedZip([Self.streamed("a", [1, 2, 3, 4], piece: 2, length: length)])
        await #expect(throws: ZipError.self) { _ = try await Self.whole(zip) }
        let failing = try StreamedZip([
            StreamedZip.Member(path: "a", modified: Self.modified, content: .streamed(length: 1) { throw BytesSource.Refused() })
        ])
        await #expect(throws: BytesSource.Refused.self) { _ = try await Self.whole(failing) }
    }

    @Test("paths and lengths are those that an archive may have")
    func refused() throws {
        for path in ["", "/a", "../a", "a\\b"] { #expect(throws: ZipError.self) { try StreamedZip([try Self.packed(path, "a")]) } }
        #expect(throws: ZipError.self) { try StreamedZip([try Self.packed("a", "a"), try Self.packed("A", "a")]) }
        #expect(throws: ZipError.self) { try StreamedZip([Self.streamed("a", [], piece: 1, length: -1)]) }
        #expect(throws: ZipError.self) { try StreamedZip([]) }
    }

    @Test("a member above 4 GiB has records of ZIP64")
    func large() async throws {
        let length: Int64 = 0xFFFF_FFFF
        let zip = try StreamedZip([
            StreamedZip.Member(path: "large.m4a", modified: Self.modified, content: .streamed(length: length) { { nil } }),
            try Self.packed("after.txt", "after"),
        ])

        // Header with its extra field, blocks, descriptor; two entries in the directory, each with an extra field; its end in both forms.
        let blocks: Int64 = length + 5 * ((length + 65_534) / 65_535)
        let after = Int64(try Deflater().pack(Array("after".utf8)).packed.count)
        let large: Int64 = 30 + 9 + 20 + blocks + 24
        let small: Int64 = 30 + 9 + after
        let directory: Int64 = 46 + 9 + 20 + 46 + 9 + 12
        let end: Int64 = 56 + 20 + 22
        #expect(zip.size == large + small + directory + end)
    }
}
