/// The part of ISO 14496-12 that is needed to change a recording.
enum MP4Boxes {
    /// Offset of the first box of that name (of its size field).
    static func offset(of name: String, in bytes: [UInt8]) -> Int? {
        let wanted = Array(name.utf8)
        return bytes.indices.dropFirst(4).first { bytes[$0...].starts(with: wanted) }.map { $0 - 4 }
    }

    static func size(at offset: Int, in bytes: [UInt8]) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    static func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

/// Points a track's media at another file: a Macintosh alias record in `dref`, the one kind that ffmpeg follows.
enum ExternalReference {
    /// For a file whose `moov` stands after `mdat`, so that no chunk offset moves.
    static func insert(into original: [UInt8], path: String) -> [UInt8]? {
        var bytes = original
        // The first dref of a QuickTime file may belong to a handler; the last is the media's.
        guard let dref = lastDref(bytes) else { return nil }
        let old = MP4Boxes.size(at: dref, in: bytes)
        let name = Array("V\(path)".utf8)
        let padded = name.count % 2 == 0 ? name : name + [0]
        var alias: [UInt8] = Array("alis".utf8) + [0, 0, 0, 0]
        alias += [UInt8](repeating: 0, count: 10) + [1] + Array("V".utf8) + [UInt8](repeating: 0, count: 26)
        alias += [UInt8](repeating: 0, count: 12) + [6] + Array("canary".utf8) + [UInt8](repeating: 0, count: 57)
        alias += [UInt8](repeating: 0, count: 16) + [0, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
        alias += [0, 2] + MP4Boxes.bigEndian(padded.count, bytes: 2) + padded + [0xFF, 0xFF, 0, 0]
        let entry = MP4Boxes.bigEndian(alias.count + 4, bytes: 4) + alias
        let box = MP4Boxes.bigEndian(16 + entry.count, bytes: 4) + Array("dref".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + entry
        bytes.replaceSubrange(dref..<dref + old, with: box)
        for parent in ["moov", "trak", "mdia", "minf", "dinf"] {
            guard let offset = MP4Boxes.offset(of: parent, in: bytes) else { return nil }
            bytes.replaceSubrange(
                offset..<offset + 4, with: MP4Boxes.bigEndian(MP4Boxes.size(at: offset, in: bytes) + box.count - old, bytes: 4))
        }
        return bytes
    }

    private static func lastDref(_ bytes: [UInt8]) -> Int? {
        let wanted = Array("dref".utf8)
        return bytes.indices.dropFirst(4).last { bytes[$0...].starts(with: wanted) }.map { $0 - 4 }
    }
}
