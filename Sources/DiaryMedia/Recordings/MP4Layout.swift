import BlockingCalls

/// The boxes of a file in MP4 (ISO/IEC 14496-12 section 4.2). Blocks on the disk.
enum MP4Layout {
    private struct Box {
        var name: String
        var start: Int
        var content: Range<Int>
    }

    /// Whether the sound is in fragments, which browsers write while they record and some players do not seek in. More than 64 boxes are not
    /// before the first one.
    static func isFragmented(_ path: String) -> Bool {
        UntrustedFile(path).map { file in boxes(in: file, 0..<file.size, most: 64).contains { $0.name == "moof" } } ?? false
    }

    /// Where files begin that were joined.
    static func files(in file: UntrustedFile) -> [Int] {
        boxes(in: file, 0..<file.size, most: 1_000).filter { $0.name == "ftyp" }.map(\.start)
    }

    /// Of each sound track, in their order, whether players take it (section 8.3.2).
    static func enabledSounds(_ path: String) -> [Bool] {
        guard let file = UntrustedFile(path) else { return [] }
        func inside(_ box: Box?, _ name: String) -> [Box] {
            box.map { boxes(in: file, $0.content, most: 100).filter { $0.name == name } } ?? []
        }
        let movie = boxes(in: file, 0..<file.size, most: 1_000).first { $0.name == "moov" }
        return inside(movie, "trak").compactMap { track in
            guard let header = inside(track, "tkhd").first.flatMap({ file.read(at: $0.content.lowerBound, count: 4) }), header.count == 4,
                let handler = inside(inside(track, "mdia").first, "hdlr").first.flatMap({ file.read(at: $0.content.lowerBound, count: 12) }
                ),
                handler.dropFirst(8).elementsEqual("soun".utf8)
            else { return nil }
            return header[3] & 1 == 1
        }
    }

    /// The boxes of a range, up to one that is damaged.
    private static func boxes(in file: UntrustedFile, _ range: Range<Int>, most: Int) -> [Box] {
        var (offset, found) = (range.lowerBound, [Box]())
        while found.count < most, offset < range.upperBound, let header = file.read(at: offset, count: 16), header.count >= 8 {
            let isLong = number(header[0..<4]) == 1 && header.count == 16
            let (head, size) = isLong ? (16, number(header[8..<16])) : (8, number(header[0..<4]))
            // 0 is up to the end of the file.
            let (next, overflow) = offset.addingReportingOverflow(Int(clamping: size == 0 ? UInt64(range.upperBound - offset) : size))
            let end = overflow ? range.upperBound : min(next, range.upperBound)
            let start = offset + head
            found.append(
                Box(name: String(decoding: header[4..<8], as: UTF8.self), start: offset, content: start..<max(start, end)))
            guard size >= head, !overflow else { return found }
            offset = next
        }
        return found
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
