import BlockingCalls
import FoundationEssentials
import SystemPackage

/// A recording as 16 kHz mono signed 16-bit WAV, in the job's folder. Seconds are counted as in the recording: holes in it are silence.
struct DecodedRecording: Sendable {
    /// Bytes of a RIFF header without extra chunks.
    static let header = 44
    static let bytesPerSecond = 32_000

    /// 16,000 samples of two bytes a second, and a header.
    static func bytes(seconds: Double) -> Int {
        (Int(exactly: min(max(seconds, 1), 86_400).rounded(.up)) ?? 1) * bytesPerSecond + 4_096
    }

    var file: JobFile
    var durationSeconds: Double

    func remove() { try? FileManager.default.removeItem(atPath: file.path) }

    /// The samples of a stretch, little-endian; fewer where the recording ends before. At most some minutes: they are in memory.
    func samples(from start: Double, to end: Double) -> [UInt8] {
        guard let file = UntrustedFile(file.path) else { return [] }
        let first = Self.offset(start)
        return file.read(at: Self.header + first, count: max(0, Self.offset(end) - first)) ?? []
    }

    /// Writes a stretch as a WAV file of its own, a MiB at a time.
    /// - Returns: false when it cannot be read or written.
    func write(from start: Double, to end: Double, as part: JobFile) -> Bool {
        guard let file = UntrustedFile(file.path) else { return false }
        let first = Self.header + min(Self.offset(start), max(0, file.size - Self.header))
        let last = min(Self.header + Self.offset(end), file.size)
        // The name may lead elsewhere: a sandboxed program can write into the folder.
        try? FileManager.default.removeItem(atPath: part.path)
        guard
            let target = try? FileDescriptor.open(
                FilePath(part.path), .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite)
        else { return false }
        let isWritten = try? target.closeAfter {
            try target.writeAll(Self.riff(bytes: max(0, last - first)))
            var at = first
            while at < last {
                guard let chunk = file.read(at: at, count: min(1 << 20, last - at)), !chunk.isEmpty else { return false }
                try target.writeAll(chunk)
                at += chunk.count
            }
            return true
        }
        return isWritten == true
    }

    /// Of a sample, not between its bytes.
    private static func offset(_ seconds: Double) -> Int {
        (Int(exactly: (min(max(seconds, 0), 86_400) * Double(bytesPerSecond / 2)).rounded()) ?? 0) * 2
    }

    private static func riff(bytes: Int) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        return Array("RIFF".utf8) + little(36 + bytes, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2)
            + little(16_000, 4) + little(bytesPerSecond, 4) + little(2, 2) + little(16, 2) + Array("data".utf8) + little(bytes, 4)
    }
}
