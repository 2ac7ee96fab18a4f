import CLibzip
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ZipArchive

/// An archive that is read while it is written, whose size is known before.
@Suite("Archives read while they are written", .timeLimit(.minutes(2)))
struct ZipPipeTests {
    private static let modified = ZipTimestamp(year: 2026, month: 3, day: 1, hour: 9, minute: 0, second: 0)

    /// Writes the members into a file that a reader follows.
    /// - Returns: what the reader got, and the size that was told before.
    private static func piped(
        _ members: [ZipMember], ahead: Int64 = 1 << 20, into target: UnlinkedTempFile, in folder: TestFolder
    ) async throws
        -> (size: Int64, told: Int64, held: Int64)
    {
        var layout = ZipSize()
        for member in members { layout.add(path: member.path, size: member.sourceLength, length: member.length) }
        let file = try UnlinkedTempFile(folder: folder.path)
        let pipe = ZipPipe(file, ahead: ahead)
        let writer = ZipWriter(file: file)
        for member in members { try writer.add(member) }
        async let size = writer.finish(through: pipe)
        var held: Int64 = 0
        while let bytes = try await pipe.nextBytes(max: 1 << 18) {
            try target.append(bytes)
            held = max(held, try file.heldBytes)
        }
        return (try await size, layout.total, held)
    }

    private static func packed(_ path: String, _ text: [UInt8], by deflater: Deflater) throws -> ZipMember {
        let (bytes, facts) = try deflater.pack(text)
        return ZipMember(
            path: path, modified: modified, method: .packed(size: facts.size, crc32: facts.crc32), length: facts.length,
            source: BytesSource(bytes))
    }

    @Test("stored and packed members are read by others, and the size was known before", arguments: [0, 1, 100_000, 3_000_000])
    func members(bytes: Int) async throws {
        let folder = try TestFolder()
        let deflater = try Deflater()
        let content = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let members = [
            try Self.packed("text/a.txt", Array(String(repeating: "Grüße ", count: bytes / 6).utf8), by: deflater),
            ZipMember(path: "audio/ü.m4a", modified: Self.modified, method: .stored, length: Int64(bytes), source: BytesSource(content)),
            try Self.packed("text/b.txt", content, by: deflater),
            try Self.packed("empty.txt", [], by: deflater),
        ]
        let target = try UnlinkedTempFile(folder: folder.path)

        let (size, told, _) = try await Self.piped(members, into: target, in: folder)

        #expect(size == told)
        #expect(try target.size == told)
        let path = try folder.copy(target)
        let python = try await Tool.run("python3", "-c", Tool.inspector, path, "test", "list")
        #expect(python.status == 0 && python.output.contains("members 4"), "\(python.output)")
        #expect(try await Tool.run("unzip", "-tqq", path).status == 0)
    }

    @Test("pieces of a text are packed as the whole is")
    func pieces() throws {
        let deflater = try Deflater()
        let text = Array(String(repeating: "one two three ", count: 20_000).utf8)
        let (whole, facts) = try deflater.pack(text)
        var packed: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: 7_001) {
            packed += try deflater.append(Array(text[start..<min(text.count, start + 7_001)]))
        }
        let (rest, again) = try deflater.finish()

        #expect(packed + rest == whole && again == facts)
        #expect(facts.length == Int64(text.count) && facts.size == Int64(whole.count) && whole.count < text.count / 20)
        #expect(try deflater.pack([]).facts == PackedFacts(size: 2, crc32: 0, length: 0))
    }

    @Test("E2: the file holds the longest member and what is written ahead, not the archive")
    func space() async throws {
        let folder = try TestFolder()
        let length: Int64 = 24 << 20
        let members = (0..<10).map { number in
            ZipMember(path: "\(number)", modified: Self.modified, method: .stored, length: length, source: ZeroSource(length))
        }
        let target = try UnlinkedTempFile(folder: folder.path)
        let probe = try UnlinkedTempFile(folder: folder.path)

        let (size, told, held) = try await Self.piped(members, into: target, in: folder)

        #expect(size == told)
        if probe.canFree {
            var layout = ZipSize()
            for member in members { layout.add(path: member.path, size: length, length: length) }
            #expect(held <= ZipPipe(probe, ahead: 1 << 20).space(largest: length, of: layout) + length)
            #expect(held < size / 2)
        }
    }

    @Test(
        "E2: the size of archives with many members, and above 4 GiB, was known before", .serialized,
        arguments: [(70_000, Int64(1)), (3, 1_500 << 20)])
    func zip64(count: Int, length: Int64) async throws {
        guard count > 3 || areCountsFull else { return }
        var layout = ZipSize()
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let writer = ZipWriter(file: file)
        for number in 0..<count {
            let path = "days/\(number)"
            layout.add(path: path, size: length, length: length)
            try writer.add(ZipMember(path: path, modified: Self.modified, method: .stored, length: length, source: ZeroSource(length)))
        }

        #expect(try await writer.finish() == layout.total)
    }

    @Test("a member that fails ends the reader with its failure; a reader that leaves ends the archive")
    func failures() async throws {
        let folder = try TestFolder()
        func writer(_ file: UnlinkedTempFile, _ sources: [BytesSource]) throws -> ZipWriter {
            let writer = ZipWriter(file: file)
            for (number, source) in sources.enumerated() {
                try writer.add(ZipMember(path: "\(number)", modified: Self.modified, method: .stored, length: 4 << 20, source: source))
            }
            return writer
        }
        let whole = [UInt8](repeating: 1, count: 4 << 20)
        let file = try UnlinkedTempFile(folder: folder.path)
        let pipe = ZipPipe(file, ahead: 1 << 20)
        let failing = try writer(file, [BytesSource(whole), BytesSource(whole, failingAt: 1_000)])
        let failed = Task { try await failing.finish(through: pipe) }
        await #expect(throws: ZipError.self) { while try await pipe.nextBytes(max: 1 << 20) != nil {} }
        await #expect(throws: ZipError.self) { _ = try await failed.value }

        let other = try UnlinkedTempFile(folder: folder.path)
        let left = ZipPipe(other, ahead: 1 << 20)
        let leaving = try writer(other, (0..<5).map { _ in BytesSource(whole) })
        let ended = Task { try await leaving.finish(through: left) }
        _ = try #require(try await left.nextBytes(max: 1 << 20))
        left.abandon()

        await #expect(throws: ZipError.self) { _ = try await ended.value }
    }

    @Test("an archive that fails between its reader's two steps gives the reader its cause, not the emptied file's")
    func failureBetweenSteps() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let pipe = ZipPipe(file)
        _ = try file.append([UInt8](repeating: 1, count: 100))
        pipe.settle(100)
        guard case .file(let range) = try await pipe.next(max: 100) else { throw NoFile() }

        pipe.end(.memberFailed(BytesSource.Refused()))
        try DescriptorIO.truncate(file.descriptor)

        let error = #expect(throws: ZipError.self) { _ = try pipe.read(range) }
        guard case .memberFailed(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause is BytesSource.Refused)
    }
}

extension ZipPipeTests {
    private struct NoFile: Error {}

    @Test("an archive whose members pass through memory and through the file is the one that is written without a reader")
    func ways() async throws {
        let folder = try TestFolder()
        let lengths = [
            0, 1, 200_000, ZipTail.blockSize, ZipPipe.mostInMemory - (1 << 18) - 100, 300, ZipPipe.mostInMemory - 1, 300,
            ZipPipe.mostInMemory * 2 + 77, 5, 70_000, 70_000, 70_000,
            70_000,
        ]
        let members = lengths.enumerated().map { number, length in
            let content = (0..<length).map { UInt8(truncatingIfNeeded: ($0 &* 31 &+ number) >> 3) }
            return ZipMember(
                path: "audio/\(number).m4a", modified: Self.modified, method: .stored, length: Int64(length), source: BytesSource(content))
        }
        let plain = try UnlinkedTempFile(folder: folder.path)
        let writer = ZipWriter(file: plain)
        for member in members { try writer.add(member) }
        let size = try await writer.finish()
        let target = try UnlinkedTempFile(folder: folder.path)

        let (piped, told, _) = try await Self.piped(members, into: target, in: folder)

        #expect(piped == size && told == size)
        let (one, other) = (try plain.read(offset: 0, count: Int(size)), try target.read(offset: 0, count: Int(size)))
        #expect(one.count == Int(size) && one == other)
    }

    @Test("a reader that is slow holds no more than 8 MiB in memory, and the member that is written")
    func waiting() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let pipe = ZipPipe(file)
        let writer = ZipWriter(file: file)
        for number in 0..<100 {
            try writer.add(
                ZipMember(path: "\(number)", modified: Self.modified, method: .stored, length: 1 << 20, source: ZeroSource(1 << 20)))
        }
        let written = Task { try await writer.finish(through: pipe) }
        #expect(await eventually { pipe.settled > 8 << 20 })

        var taken: Int64 = 0
        var most: Int64 = 0
        while true {
            most = max(most, min(pipe.settled, 100 << 20) - taken)
            guard let bytes = try await pipe.nextBytes(max: 1 << 18) else { break }
            taken += Int64(bytes.count)
        }

        #expect(try await written.value == taken)
        #expect(most <= 10 << 20)
    }

    @Test("short members do not pass through the file; what it holds is the directory at the end")
    func memory() async throws {
        let folder = try TestFolder()
        let members = (0..<100).map { number in
            ZipMember(path: "\(number)", modified: Self.modified, method: .stored, length: 1 << 20, source: ZeroSource(1 << 20))
        }
        let target = try UnlinkedTempFile(folder: folder.path)

        let (size, told, held) = try await Self.piped(members, into: target, in: folder)

        #expect(size == told && size > 100 << 20)
        #expect(held < 1 << 20)
    }

    @Test("an archive that libzip gives up keeps its bytes until its reader is told why")
    func rollback() throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let pipe = ZipPipe(file)
        let destination = ZipDestination(
            descriptor: file.descriptor, run: ZipRun(descriptor: file.descriptor, members: [], pipe: pipe, progress: nil))
        #expect(destination.handle(ZIP_SOURCE_BEGIN_WRITE, nil, 0) == 0)
        var bytes = [UInt8](repeating: 1, count: 100)
        #expect(bytes.withUnsafeMutableBytes { destination.handle(ZIP_SOURCE_WRITE, $0.baseAddress, 100) } == 100)
        #expect(destination.handle(ZIP_SOURCE_COMMIT_WRITE, nil, 0) == 0)
        pipe.settle(100)

        #expect(destination.handle(ZIP_SOURCE_ROLLBACK_WRITE, nil, 0) == 0)

        #expect(try pipe.read(0..<100) == bytes)
    }
}

extension ZipPipe {
    fileprivate func nextBytes(max: Int) async throws -> [UInt8]? {
        switch try await next(max: max) {
        case .memory(let bytes, _): bytes
        case .file(let range): try read(range)
        case nil: nil
        }
    }
}

extension UnlinkedTempFile {
    /// What the disk holds of it.
    fileprivate var heldBytes: Int64 {
        get throws {
            var status = stat()
            #expect(fstat(descriptor, &status) == 0)
            return Int64(status.st_blocks) * 512
        }
    }
}
