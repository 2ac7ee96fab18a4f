import BlockingCalls

/// The top-level boxes of a file in MP4 (ISO/IEC 14496-12 section 4.2).
enum MP4Layout {
    /// More than a recording has before its first fragment.
    private static let most = 64

    /// Whether the sound is in fragments, which browsers write while they record and some players do not seek in. Blocks on the disk.
    static func isFragmented(_ path: String) -> Bool {
        guard let file = UntrustedFile(path) else { return false }
        var offset = 0
        for _ in 0..<most {
            guard let header = file.read(at: offset, count: 16), header.count >= 8 else { return false }
            if Array(header[4..<8]) == Array("moof".utf8) { return true }
            var size = number(header[0..<4])
            if size == 1, header.count == 16 { size = number(header[8..<16]) }
            // 0 is up to the end of the file.
            let (next, overflow) = offset.addingReportingOverflow(Int(clamping: size))
            guard size >= 8, !overflow else { return false }
            offset = next
        }
        return false
    }

    /// Where files begin that were joined. Blocks on the disk.
    static func files(in file: UntrustedFile) -> [Int] {
        var (offset, starts) = (0, [Int]())
        for _ in 0..<1_000 {
            guard let header = file.read(at: offset, count: 16), header.count >= 8 else { return starts }
            if header[4..<8].elementsEqual("ftyp".utf8) { starts.append(offset) }
            var size = number(header[0..<4])
            if size == 1, header.count == 16 { size = number(header[8..<16]) }
            let (next, overflow) = offset.addingReportingOverflow(Int(clamping: size))
            guard size >= 8, !overflow else { return starts }
            offset = next
        }
        return starts
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
