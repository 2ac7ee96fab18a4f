import DiaryCore

/// A container that the service accepts. The declared content type picks the demuxer, or the file's first bytes where they show another
/// container; never ffmpeg's detection, which would accept a playlist.
struct MediaFormat: Sendable, Equatable {
    let type: AudioFormat

    /// What `AudioDecoder` writes.
    static let wav = MediaFormat(.wav)

    init(_ type: AudioFormat) { self.type = type }

    init?(contentType: String) {
        guard let type = AudioFormat(contentType: contentType) else { return nil }
        self.type = type
    }

    /// ffmpeg's name for the demuxer.
    var demuxer: String {
        switch type.container {
        case .mp4: "mov"
        case .mp3: "mp3"
        case .wav: "wav"
        case .ogg: "ogg"
        case .webm: "matroska"
        case .adts: "aac"
        case .flac: "flac"
        case .caf: "caf"
        case .amr: "amr"
        }
    }

    /// Options of that demuxer. Data references name other files.
    private var options: [String] { type.container == .mp4 ? ["-enable_drefs", "0", "-use_absolute_path", "0"] : [] }

    /// The headers of MP3, AMR and AAC in ADTS do not hold a length; ffprobe estimates one from the bit rate at the start.
    var statesLength: Bool { ![.mp3, .adts, .amr].contains(type.container) }

    /// The input options before `-i`, for ffprobe and ffmpeg.
    ///
    /// ffmpeg reads packets until it knows every track: at most 1 MiB and 5 s of them. A recording has one track, or a few with a picture
    /// or chapters.
    /// - Parameter isPart: the input is some of a file's bytes.
    func inputOptions(isPart: Bool) -> [String] {
        ["-f", demuxer, "-protocol_whitelist", isPart ? "subfile,file" : "file", "-format_whitelist", "\(demuxer),\(aliases)"]
            + ["-codec_whitelist", Self.decoders, "-max_streams", "32", "-probesize", "1048576", "-analyzeduration", "5000000"] + options
    }

    /// Some versions of ffmpeg compare the whitelist with each name of a demuxer, others with the whole list of its names.
    private var aliases: String {
        switch demuxer {
        case "mov": "mov,mp4,m4a,3gp,3g2,mj2"
        case "matroska": "matroska,webm"
        default: demuxer
        }
    }

    /// Codecs that recorders write into these containers, as ffprobe names them; PCM is matched by prefix.
    static func isSupported(codec: String) -> Bool {
        ["aac", "mp3", "opus", "vorbis", "flac", "alac", "amr_nb", "amr_wb", "adpcm_ima_qt", "adpcm_ima_wav", "adpcm_ms", "gsm_ms"]
            .contains(codec)
            || codec.hasPrefix("pcm_")
    }

    /// The decoders for these codecs, as ffmpeg names them.
    static let decoders = [
        "aac", "mp3", "mp3float", "opus", "libopus", "vorbis", "libvorbis", "flac", "alac", "amrnb", "amrwb", "pcm_s16le", "pcm_s16be",
        "pcm_s24le", "pcm_s24be", "pcm_s32le",
        "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw", "adpcm_ima_qt",
        "adpcm_ima_wav", "adpcm_ms", "gsm_ms",
    ].joined(separator: ",")
}
