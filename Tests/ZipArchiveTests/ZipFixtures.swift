import Foundation
import Synchronization
import TestPrograms
import Testing
import ZipArchive

/// A member's source held in memory, which counts how it is used.
final class BytesSource: ZipMemberSource {
    struct Refused: Error, Equatable {}
    struct Calls: Equatable { var opened = 0, closed = 0 }

    private let bytes: [UInt8]
    private let failingAt: Int?
    private let state = Mutex((position: 0, calls: Calls()))

    init(_ bytes: [UInt8], failingAt: Int? = nil) {
        self.bytes = bytes
        self.failingAt = failingAt
    }

    convenience init(_ text: String) { self.init(Array(text.utf8)) }

    var calls: Calls { state.withLock { $0.calls } }

    func open() throws {
        state.withLock {
            $0.position = 0
            $0.calls.opened += 1
        }
    }

    func read(max: Int) throws -> [UInt8] {
        try state.withLock { state in
            if let failingAt, state.position >= failingAt { throw Refused() }
            let end = Swift.min(state.position + max, failingAt ?? bytes.count, bytes.count)
            defer { state.position = end }
            return Array(bytes[state.position..<end])
        }
    }

    func close() { state.withLock { $0.calls.closed += 1 } }
}

/// The given number of zeros, without holding them in memory.
final class ZeroSource: ZipMemberSource {
    private let length: Int64
    private let left: Mutex<Int64>
    private let block = [UInt8](repeating: 0, count: 65536)

    init(_ length: Int64) {
        self.length = length
        left = Mutex(length)
    }

    func open() throws { left.withLock { $0 = length } }

    func read(max: Int) throws -> [UInt8] {
        left.withLock { left in
            let count = Int(Swift.min(left, Int64(Swift.min(max, block.count))))
            left -= Int64(count)
            return count == block.count ? block : Array(block.prefix(count))
        }
    }

    func close() {}
}

/// A folder for one test, removed with it.
final class TestFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "zip-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Gives the archive a name, which command-line tools need.
    func copy(_ file: UnlinkedTempFile, as name: String = "a.zip") throws -> String {
        let target = path + "/" + name
        #expect(FileManager.default.createFile(atPath: target, contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: target))
        var offset: Int64 = 0
        while true {
            let bytes = try file.read(offset: offset, count: 1 << 20)
            if bytes.isEmpty { break }
            try handle.write(contentsOf: Data(bytes))
            offset += Int64(bytes.count)
        }
        try handle.close()
        return target
    }
}

enum Tool {
    /// Exit code and combined output of a command.
    static func run(_ words: String...) async throws -> (status: Int, output: String) {
        let ending = try await TestProgram.run(words, errors: .joined)
        return (ending.status, ending.text)
    }

    /// Every local header against the central directory: no data descriptor, same CRC, same sizes (also in ZIP64 extras).
    /// Prints name, method, size, CRC, date and the UTF-8 flag of each member.
    static let inspector = """
        import struct, sys, zipfile
        archive = zipfile.ZipFile(sys.argv[1])
        if "test" in sys.argv: assert archive.testzip() is None
        raw = open(sys.argv[1], "rb")
        for info in archive.infolist():
            raw.seek(info.header_offset)
            head = struct.unpack("<4s5H3I2H", raw.read(30))
            signature, version, flags, method, time, date, crc, packed, plain, names, extras = head
            raw.read(names)
            extra = raw.read(extras)
            assert signature == b"PK\\x03\\x04" and not flags & 8 and not info.flag_bits & 8
            while extra:
                kind, size = struct.unpack("<2H", extra[:4])
                if kind == 1:
                    values = list(struct.unpack("<%dQ" % (size // 8), extra[4:4 + size // 8 * 8]))
                    if plain == 0xffffffff: plain = values.pop(0)
                    if packed == 0xffffffff: packed = values.pop(0)
                extra = extra[4 + size:]
            assert (crc, packed, plain) == (info.CRC, info.compress_size, info.file_size), (info.filename, crc, packed, plain)
            if "list" in sys.argv:
                print(info.filename, method, plain, "%08x" % crc, "%d-%d-%d %d:%d:%d" % info.date_time, bool(info.flag_bits & 0x800), oct(info.external_attr >> 16))
        print("members", len(archive.infolist()))
        """

    /// Highest resident size of this process so far, in bytes.
    static func peakMemory() -> Int64 {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int64($0.filter(\.isNumber)) }.map { $0 * 1024 } ?? 0
    }
}
