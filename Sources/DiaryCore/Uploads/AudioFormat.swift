/// Media types a recording may have. The declared one picks the demuxer, unless the first bytes show another of these containers.
package enum AudioFormat: String, Sendable, CaseIterable {
    case m4a = "audio/mp4"
    case m4aAlias = "audio/m4a"
    case xM4a = "audio/x-m4a"
    case mpeg = "audio/mpeg"
    case wav = "audio/wav"
    case xWav = "audio/x-wav"
    case ogg = "audio/ogg"
    case webm = "audio/webm"
    case aac = "audio/aac"
    case flac = "audio/flac"
    case mp3 = "audio/mp3"
    case wave = "audio/vnd.wave"
    case xFlac = "audio/x-flac"
    /// What many give to files that end in `.opus`; RFC 7845 section 9 has `audio/ogg`.
    case opus = "audio/opus"
    /// A film, or the file of a recorder that has no own type for sound: the first audio track counts.
    case mp4 = "video/mp4"
    case webmVideo = "video/webm"
    case caf = "audio/x-caf"
    case amr = "audio/amr"
    case amrWideband = "audio/amr-wb"
    case threeGPP = "audio/3gpp"
    case threeGPPVideo = "video/3gpp"
    case cafAlias = "audio/caf"
    case xAac = "audio/x-aac"
    /// What phones give to their films and memos.
    case quickTime = "video/quicktime"
    case quickTimeAudio = "audio/quicktime"

    /// A container, whatever type names it.
    package enum Container: Sendable { case mp4, mp3, wav, ogg, webm, adts, flac, caf, amr }

    /// Compares the type without parameters, in any case.
    package init?(contentType: String) {
        if let exact = Self(rawValue: contentType) {
            self = exact
            return
        }
        let bare = contentType.split(separator: ";", maxSplits: 1).first.map(String.init) ?? ""
        self.init(rawValue: bare.lowercased().filter { $0 != " " })
    }

    package var container: Container {
        switch self {
        case .m4a, .m4aAlias, .xM4a, .mp4, .threeGPP, .threeGPPVideo, .quickTime, .quickTimeAudio: .mp4
        case .mpeg, .mp3: .mp3
        case .wav, .xWav, .wave: .wav
        case .ogg, .opus: .ogg
        case .webm, .webmVideo: .webm
        case .aac, .xAac: .adts
        case .flac, .xFlac: .flac
        case .caf, .cafAlias: .caf
        case .amr, .amrWideband: .amr
        }
    }

    package var fileExtension: String {
        switch self {
        case .m4a, .m4aAlias, .xM4a: "m4a"
        case .mp4: "mp4"
        case .mpeg, .mp3: "mp3"
        case .wav, .xWav, .wave: "wav"
        case .ogg: "ogg"
        case .opus: "opus"
        case .webm, .webmVideo: "webm"
        case .aac, .xAac: "aac"
        case .flac, .xFlac: "flac"
        case .caf, .cafAlias: "caf"
        case .amr: "amr"
        case .amrWideband: "awb"
        case .threeGPP, .threeGPPVideo: "3gp"
        case .quickTime: "mov"
        case .quickTimeAudio: "qta"
        }
    }

    /// Whether AAC in it is what every player plays, so that no copy is made.
    package var isPlayable: Bool { self == .m4a || self == .m4aAlias || self == .xM4a }
}
