/// A container the service accepts. The declared content type alone picks the demuxer: ffmpeg's guess would let a playlist in.
struct MediaFormat: Sendable, Equatable {
    /// ffmpeg's name for the demuxer.
    var demuxer: String
    /// Options of that demuxer.
    var options: [String] = []

    init?(contentType: String) {
        let essence = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        switch essence {
        case "audio/mp4", "audio/m4a", "audio/x-m4a":
            demuxer = "mov"
            // Data references point at other files.
            options = ["-enable_drefs", "0", "-use_absolute_path", "0"]
        case "audio/mpeg": demuxer = "mp3"
        case "audio/wav", "audio/x-wav": demuxer = "wav"
        case "audio/ogg": demuxer = "ogg"
        case "audio/webm": demuxer = "matroska"
        case "audio/aac": demuxer = "aac"
        case "audio/flac": demuxer = "flac"
        default: return nil
        }
    }

    /// Everything in front of `-i` for ffprobe and ffmpeg alike.
    var inputOptions: [String] {
        ["-f", demuxer, "-protocol_whitelist", "file", "-format_whitelist", "\(demuxer),\(aliases)"] + options
    }

    /// Lists compare with every name of a demuxer on some versions and with the whole list on others.
    private var aliases: String {
        switch demuxer {
        case "mov": "mov,mp4,m4a,3gp,3g2,mj2"
        case "matroska": "matroska,webm"
        default: demuxer
        }
    }

    /// Codecs that recorders write into these containers, as ffprobe names them; PCM is matched by prefix.
    static func isSupported(codec: String) -> Bool {
        ["aac", "mp3", "opus", "vorbis", "flac", "alac"].contains(codec) || codec.hasPrefix("pcm_")
    }

    /// The decoders those need, as ffmpeg names them.
    static let decoders = [
        "aac", "mp3", "mp3float", "opus", "libopus", "vorbis", "libvorbis", "flac", "alac", "pcm_s16le", "pcm_s16be", "pcm_s24le",
        "pcm_s24be", "pcm_s32le",
        "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw",
    ].joined(separator: ",")
}
