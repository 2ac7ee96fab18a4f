import BlockingCalls
import DiaryCore
import Glibc

/// Recordings that were joined byte by byte into one file, which programs do that know no containers. ffmpeg reads on behind the first of
/// MP3 and ADTS, and stops there in others without a word. Blocks on the disk.
enum JoinedFile {
    /// More are read with the last.
    private static let most = 32
    private static let chunk = 4 << 20

    /// - Returns: where each begins and ends, in bytes; empty for a file that is one recording.
    static func sections(of path: String, _ container: AudioFormat.Container) -> [Range<Int>] {
        guard let file = UntrustedFile(path) else { return [] }
        let starts =
            switch container {
            case .webm: found([0x1A, 0x45, 0xDF, 0xA3], in: file) { contains($0, "webm") || contains($0, "matroska") }
            case .wav: found(Array("RIFF".utf8), in: file) { $0.count > 16 && $0[8..<16].elementsEqual("WAVEfmt ".utf8) }
            case .flac: found(Array("fLaC".utf8), in: file) { $0.count > 8 && $0[4] & 0x7F == 0 && Array($0[5..<8]) == [0, 0, 34] }
            case .amr: found(Array("#!AMR".utf8), in: file) { $0.count > 9 && ($0[5] == 0x0A || $0[5..<9].elementsEqual("-WB\n".utf8)) }
            case .caf: found(Array("caff".utf8), in: file) { $0.count > 12 && $0[8..<12].elementsEqual("desc".utf8) }
            case .mp4: MP4Layout.files(in: file)
            case .ogg: links(found(Array("OggS\0\u{2}".utf8), in: file) { $0.count > 26 })
            case .mp3, .adts: [Int]()
            }
        guard starts.count > 1, starts.first == 0 else { return [] }
        return zip(starts, starts.dropFirst() + [file.size]).map { $0..<$1 }
    }

    /// Bytes within which pages that begin streams begin those of one recording.
    private static let heads = 4_096

    /// Of a chain (RFC 3533 section 4): ffmpeg takes a link that has the stream number of the one before for the same, and one of another rate
    /// for a hole.
    private static func links(_ starts: [Int]) -> [Int] {
        starts.reduce(into: []) { links, start in
            if links.last.map({ start - $0 > heads }) ?? true { links.append(start) }
        }
    }

    /// The places of a signature whose next bytes hold.
    private static func found(_ signature: [UInt8], in file: UntrustedFile, where isStart: (ArraySlice<UInt8>) -> Bool) -> [Int] {
        var starts: [Int] = []
        var offset = 0
        while offset < file.size, let bytes = file.read(at: offset, count: chunk + 64), !bytes.isEmpty {
            var at = 0
            while at < min(chunk, bytes.count), let next = place(of: signature, in: bytes, from: at), next < chunk {
                if isStart(Array(bytes[next..<min(next + 64, bytes.count)])[...]) { starts.append(offset + next) }
                if starts.count == most { return starts }
                at = next + 1
            }
            offset += chunk
        }
        return starts
    }

    private static func place(of signature: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = signature.first else { return nil }
        var at = start
        // A loop in Swift takes seconds for a recording of hours.
        while at < bytes.count,
            let next = unsafe bytes.withUnsafeBytes({ all in
                unsafe all.baseAddress.flatMap { base in
                    unsafe memchr(base + at, Int32(first), all.count - at).map { unsafe base.distance(to: UnsafeRawPointer($0)) }
                }
            })
        {
            guard next + signature.count <= bytes.count else { return nil }
            if bytes[next..<next + signature.count].elementsEqual(signature) { return next }
            at = next + 1
        }
        return nil
    }

    private static func contains(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }
}
