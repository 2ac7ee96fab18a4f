import BlockingCalls
import DiaryCore

/// What a file's bytes say before ffmpeg reads it. Blocks on the disk.
struct FileLook: Sendable {
    /// The declared container, or the one that the first bytes show.
    var format: MediaFormat
    /// Its container is known, and not taken.
    var isForeign = false
    var sections: [Range<Int>] = []
    var ignoresLength = false

    init(_ file: JobFile, _ declared: MediaFormat) {
        format = declared
        guard let untrusted = UntrustedFile(file.path), let head = untrusted.read(at: 0, count: ContainerSignature.length) else { return }
        var signature = ContainerSignature(head)
        // Tags of MP3 stand before raw AAC and FLAC, too.
        if let behind = Self.tagEnd(head), let rest = untrusted.read(at: behind, count: ContainerSignature.length) {
            let own = ContainerSignature(rest)
            signature = own == .unknown && [.adts, .flac].contains(declared.type.container) ? .unknown : own == .unknown ? signature : own
        }
        switch signature {
        case .accepted(let type) where type.container != declared.type.container: format = MediaFormat(type)
        case .accepted, .unknown: break
        case .foreign: isForeign = true
        }
        sections = JoinedFile.sections(of: file.path, format.type.container)
        if format.type.container == .wav, sections.isEmpty { ignoresLength = Self.endsTooEarly(untrusted) }
    }

    /// Where a tag of ID3v2 ends (section 3.1 of its description); nil without one.
    private static func tagEnd(_ head: [UInt8]) -> Int? {
        guard head.count > 10, head.starts(with: "ID3".utf8), head[6..<10].allSatisfy({ $0 < 0x80 }) else { return nil }
        return 10 + head[6..<10].reduce(0) { $0 << 7 | Int($1) }
    }

    /// Whether what follows the sound of a WAV file is no chunk: the header of a recording that went on.
    private static func endsTooEarly(_ file: UntrustedFile) -> Bool {
        guard let head = file.read(at: 0, count: 4_096) else { return false }
        func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(head[at + $1]) << (8 * $1) } }
        var at = 12
        while at + 8 <= head.count {
            let (name, size) = (head[at..<at + 4], number(at + 4))
            if name.elementsEqual("data".utf8) {
                let end = at + 8 + size + size % 2
                // 0 and the largest number are read up to the file's end by ffmpeg.
                guard size > 0, end < file.size, let next = file.read(at: end, count: 8), next.count == 8 else { return false }
                let isName = next[..<4].allSatisfy { (0x20...0x7E).contains($0) }
                let length = (0..<4).reduce(0) { $0 | Int(next[4 + $1]) << (8 * $1) }
                return !isName || length > file.size - end
            }
            at += 8 + size + size % 2
        }
        return false
    }
}
