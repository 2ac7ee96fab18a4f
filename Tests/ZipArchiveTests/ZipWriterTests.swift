import Foundation
import Synchronization
import Testing
import ZipArchive

@Suite("An archive")
struct ZipWriterTests {
    static let noon = ZipTimestamp(year: 2026, month: 2, day: 28, hour: 12, minute: 30, second: 58)

    private func member(_ path: String, _ bytes: [UInt8], _ method: ZipMember.Method = .deflated) -> ZipMember {
        ZipMember(path: path, modified: Self.noon, method: method, length: Int64(bytes.count), source: BytesSource(bytes))
    }

    @Test("E2: unzip, Python and bsdtar accept it; the local headers hold sizes and CRC, without data descriptors")
    func readByOthers() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let words = Array(String(repeating: "Heute war ein guter Tag. ", count: 20_000).utf8)
        let noise = (0..<300_001).map { _ in UInt8.random(in: 0...255) }
        let writer = ZipWriter(file: file)
        try writer.add(member("2026-02-28_12-30-58_0a1b2c3d.txt", words))
        try writer.add(member("audio/2026-02-28_12-30-58_0a1b2c3d.m4a", noise, .stored))
        try writer.add(member("noise.bin", noise))
        try writer.add(member("tage/Größe 日記 🗒.md", Array("ü".utf8)))
        try writer.add(member("empty.txt", []))
        try writer.add(member("empty.m4a", [], .stored))

        let size = try await writer.finish()

        #expect(try file.size == size)
        let path = try folder.copy(file)
        let unzip = try await Tool.run("unzip", "-t", path)
        #expect(unzip.status == 0 && unzip.output.contains("No errors detected"))
        let bsdtar = try await Tool.run("bsdtar", "-xOf", path, "audio/2026-02-28_12-30-58_0a1b2c3d.m4a")
        #expect(bsdtar.status == 0)
        let python = try await Tool.run("python3", "-c", Tool.inspector, path, "test", "list")
        #expect(python.status == 0, "\(python.output)")
        #expect(python.output.contains("2026-02-28_12-30-58_0a1b2c3d.txt 8 500000 "))
        #expect(python.output.contains("audio/2026-02-28_12-30-58_0a1b2c3d.m4a 0 300001 "))
        #expect(python.output.contains("tage/Größe 日記 🗒.md 8 2 "))
        #expect(python.output.contains("2026-2-28 12:30:58 True 0o100644"), "the non-ASCII name carries the UTF-8 flag")
        #expect(python.output.contains("members 6"))
    }

    @Test("members come from slices of one temporary file")
    func slices() async throws {
        let folder = try TestFolder()
        let spool = try UnlinkedTempFile(folder: folder.path)
        let out = try UnlinkedTempFile(folder: folder.path)
        let writer = ZipWriter(file: out)
        for number in 0..<50 {
            let text = Array("entry \(number)\n".utf8)
            let offset = try spool.append(text)
            let slice = TempFileSlice(file: spool, offset: offset, length: Int64(text.count))
            try writer.add(
                ZipMember(path: "\(number).txt", modified: Self.noon, method: .stored, length: Int64(text.count), source: slice))
        }

        _ = try await writer.finish()

        let path = try folder.copy(out)
        #expect(try await Tool.run("unzip", "-p", path, "49.txt").output == "entry 49\n")
        #expect(try await Tool.run("unzip", "-p", path, "0.txt").output == "entry 0\n")
    }

    @Test("earlier content of the file is gone, also when the archive is shorter")
    func overwrites() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        try file.append([UInt8](repeating: 0x50, count: 100_000))
        let writer = ZipWriter(descriptor: file.descriptor)
        try writer.add(member("a.txt", Array("a".utf8)))

        let size = try await writer.finish()

        #expect(try file.size == size)
        #expect(size < 1000)
        #expect(try await Tool.run("unzip", "-tq", try folder.copy(file)).status == 0)
    }

    @Test(
        "a length that differs from the stated one ends it and leaves an empty file", arguments: [-1, 1, 70_000],
        [ZipMember.Method.stored, .deflated])
    func lengthMismatch(difference: Int, method: ZipMember.Method) async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let source = BytesSource([UInt8](repeating: 7, count: 100_000 + difference))
        let writer = ZipWriter(file: file)
        try writer.add(member("before.txt", Array("before".utf8)))
        try writer.add(ZipMember(path: "a", modified: Self.noon, method: method, length: 100_000, source: source))

        let error = await #expect(throws: ZipError.self) { try await writer.finish() }

        guard case .lengthMismatch = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(try file.size == 0)
        #expect(source.calls == BytesSource.Calls(opened: 1, closed: 1))
    }

    @Test("a source's error is reported as the cause")
    func failingSource() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let source = BytesSource([UInt8](repeating: 7, count: 500_000), failingAt: 200_000)
        let writer = ZipWriter(file: file)
        try writer.add(ZipMember(path: "a", modified: Self.noon, method: .deflated, length: 500_000, source: source))

        let error = await #expect(throws: ZipError.self) { try await writer.finish() }

        guard case .memberFailed(let cause) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(cause is BytesSource.Refused)
        #expect(source.calls == BytesSource.Calls(opened: 1, closed: 1))
        #expect(try file.size == 0)
    }

    @Test("a descriptor that cannot be written is an error of the file")
    func unwritable() async throws {
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        let writer = ZipWriter(descriptor: descriptor)
        try writer.add(member("a.txt", Array("a".utf8)))

        let error = await #expect(throws: ZipError.self) { try await writer.finish() }

        guard case .file = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test("an archive without members, and a second finish, are refused")
    func noMembers() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let writer = ZipWriter(file: file)

        let empty = await #expect(throws: ZipError.self) { try await writer.finish() }
        let again = await #expect(throws: ZipError.self) { try await writer.finish() }
        let late = #expect(throws: ZipError.self) { try writer.add(member("a", [])) }

        guard case .noMembers = empty, case .alreadyFinished = again, case .alreadyFinished = late else {
            return #expect(Bool(false))
        }
    }

    @Test("progress rises to the end")
    func progress() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let writer = ZipWriter(file: file)
        for number in 0..<10 { try writer.add(member("\(number)", [UInt8](repeating: 1, count: 100_000), .stored)) }
        let seen = Mutex<[Double]>([])

        _ = try await writer.finish { fraction in seen.withLock { $0.append(fraction) } }

        let fractions = seen.withLock { $0 }
        #expect(fractions == fractions.sorted())
        #expect(fractions.count > 5)
        #expect(fractions.last.map { $0 > 0.9 && $0 <= 1 } == true)
    }
}
