/// Media types a recording may have.
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

    /// Compares the type without parameters, in any case.
    package init?(contentType: String) {
        if let exact = Self(rawValue: contentType) {
            self = exact
            return
        }
        let bare = contentType.split(separator: ";", maxSplits: 1).first.map(String.init) ?? ""
        self.init(rawValue: bare.lowercased().filter { $0 != " " })
    }

    package var fileExtension: String {
        switch self {
        case .m4a, .m4aAlias, .xM4a: "m4a"
        case .mpeg: "mp3"
        case .wav, .xWav: "wav"
        case .ogg: "ogg"
        case .webm: "webm"
        case .aac: "aac"
        case .flac: "flac"
        }
    }
}
