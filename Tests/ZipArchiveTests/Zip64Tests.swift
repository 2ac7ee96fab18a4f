import TestSupport
import Testing
import ZipArchive

@Suite("E2: ZIP64", .serialized, .timeLimit(.minutes(3)))
struct Zip64Tests {
    static let megabyte: Int64 = 1 << 20

    @Test(
        "a member above 4 GiB is written with flat memory and read by others", .enabled(if: areCountsFull, "half a minute; DIARY_TIMES=1"))
    func largeMember() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let length: Int64 = 4300 * Self.megabyte
        let writer = ZipWriter(file: file)
        let modified = ZipTimestamp(year: 2026, month: 1, day: 1, hour: 0, minute: 0, second: 0)
        try writer.add(ZipMember(path: "large.bin", modified: modified, method: .deflated, length: length, source: ZeroSource(length)))
        try writer.add(ZipMember(path: "after.txt", modified: modified, method: .deflated, length: 5, source: BytesSource("after")))
        let before = Tool.peakMemory()

        _ = try await writer.finish()

        #expect(Tool.peakMemory() - before < 50 * Self.megabyte)
        let path = try folder.copy(file)
        let python = try await Tool.run("python3", "-c", Tool.inspector, path, "list")
        #expect(python.status == 0, "\(python.output)")
        #expect(python.output.contains("large.bin 8 \(length) "))
        #expect(try await Tool.run("unzip", "-p", path, "after.txt").output == "after")
        #expect(try await Tool.run("bsdtar", "-xOf", path, "after.txt").output == "after")
    }

    @Test("70,000 members are written within 200 MiB and read by others")
    func manyMembers() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let spool = try UnlinkedTempFile(folder: folder.path)
        let writer = ZipWriter(file: file)
        let modified = ZipTimestamp(year: 2026, month: 1, day: 1, hour: 0, minute: 0, second: 0)
        let before = Tool.peakMemory()
        let offset = try spool.append(Array("a day".utf8))
        for number in 0..<70_000 {
            let source = TempFileSlice(file: spool, offset: offset, length: 5)
            try writer.add(
                ZipMember(path: "days/\(number).txt", modified: modified, method: .deflated, length: 5, source: source))
        }

        _ = try await writer.finish()

        #expect(Tool.peakMemory() - before < 150 * Self.megabyte)
        let path = try folder.copy(file)
        let python = try await Tool.run("python3", "-c", Tool.inspector, path)
        #expect(python.status == 0 && python.output.contains("members 70000"), "\(python.output)")
        #expect(try await Tool.run("unzip", "-tq", path).status == 0)
        #expect(try await Tool.run("bsdtar", "-xOf", path, "days/69999.txt").output == "a day")
    }
}
