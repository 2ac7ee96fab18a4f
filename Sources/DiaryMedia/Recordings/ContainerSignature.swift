import DiaryCore

/// The container that a file's first bytes show, whatever its declared type is: web pages name WebM `audio/wav`, apps m4a `audio/aac`.
enum ContainerSignature: Equatable {
    case accepted(AudioFormat)
    /// A container of sound or films that the service does not take.
    case foreign
    case unknown

    /// Bytes that it looks at.
    static let length = 4_096

    /// - Parameter head: the file's first bytes.
    init(_ head: [UInt8]) {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            head.count >= offset + text.utf8.count && head[offset..<offset + text.utf8.count].elementsEqual(text.utf8)
        }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .accepted(.webm)
        } else if has("ftyp", at: 4) {
            self = .accepted(has("qt  ", at: 8) ? .quickTime : .mp4)
        } else if ["moov", "mdat", "wide"].contains(where: { has($0, at: 4) }) {
            self = .accepted(.quickTime)
        } else if has("OggS") {
            self = .accepted(.ogg)
        } else if has("WAVE", at: 8), has("RIFF") || has("RF64") {
            self = .accepted(.wav)
        } else if has("fLaC") {
            self = .accepted(.flac)
        } else if has("caff") {
            self = .accepted(.caf)
        } else if has("#!AMR") {
            self = .accepted(.amr)
        } else if Self.isADTS(head) {
            self = .accepted(.aac)
        } else if has("ID3") || Self.isMPEG(head) {
            self = .accepted(.mpeg)
        } else if has("FORM"), has("AIF", at: 8) {
            self = .foreign
        } else if has("RIFF"), has("AVI ", at: 8) {
            self = .foreign
        } else if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) || has(".snd") {
            // Windows Media; Sun's.
            self = .foreign
        } else {
            self = .unknown
        }
    }

    /// Two frames, the second where the first ends (ISO/IEC 13818-7 section 6.2).
    private static func isADTS(_ head: [UInt8]) -> Bool {
        func isFrame(_ at: Int) -> Bool { at + 6 < head.count && head[at] == 0xFF && head[at + 1] & 0xF6 == 0xF0 }
        guard isFrame(0) else { return false }
        let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
        return length > 6 && (isFrame(length) || length + 6 >= head.count)
    }

    /// The header of a frame of layer II or III (ISO/IEC 11172-3 section 2.4.1.3).
    private static func isMPEG(_ head: [UInt8]) -> Bool {
        head.count > 3 && head[0] == 0xFF && head[1] & 0xE0 == 0xE0 && [1, 2].contains(head[1] >> 1 & 3) && head[1] >> 3 & 3 != 1
            && (1..<15).contains(head[2] >> 4) && head[2] >> 2 & 3 != 3
    }
}
