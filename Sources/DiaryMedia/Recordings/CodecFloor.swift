/// The fewest bytes a second that a codec can take, for silence too. A stated length that needs more bytes than the file has is false.
///
/// The other bound, many bytes and a short length, is `AudioDecoder`'s.
enum CodecFloor {
    /// A fifth of what the arithmetic gives, for gaps: recorders leave out packets of silence (Opus DTX sends one in 400 ms).
    private static let margin = 5.0

    /// - Parameter codec: as ffprobe names it.
    static func holds(_ bytes: Int, seconds: Double, codec: String, sampleRate: Int, channels: Int) -> Bool {
        Double(bytes) * margin >= seconds * bytesPerSecond(codec, Double(sampleRate), Double(channels))
    }

    private static func bytesPerSecond(_ codec: String, _ sampleRate: Double, _ channels: Double) -> Double {
        switch codec {
        // RFC 6716 section 3.1: a packet has at least one byte and holds at most 120 ms.
        case "opus": 1 / 0.12
        // ISO/IEC 14496-3: a block has at least one byte and 1,024 samples, which SBR doubles.
        case "aac": sampleRate / 2048
        // ISO/IEC 13818-3: 8 kbit/s is the lowest rate of layer III.
        case "mp3": 1000
        // Vorbis I, section 4.2.2: a packet has at least one byte and a block of at most 8,192 samples.
        case "vorbis": sampleRate / 8192
        // RFC 9639 section 9: at most 65,535 samples in a block; header, one subframe and checksum are at least 10 bytes.
        case "flac": sampleRate / 65_535 * 10
        // Apple's reference encoder: 4,096 samples in a packet.
        case "alac": sampleRate / 4096
        // RFC 4867 section 5.3: a frame of 20 ms is at least its header.
        case "amr_nb", "amr_wb": 50
        // Four bits a sample; 65 bytes for 320 samples.
        case "adpcm_ima_qt", "adpcm_ima_wav", "adpcm_ms": sampleRate * channels / 2
        case "gsm_ms": sampleRate / 320 * 65
        default: sampleRate * channels * (codec.hasPrefix("pcm_") ? Double(bytesPerSample(codec)) : 0)
        }
    }

    /// The number in the name is bits: `pcm_s24le`. A-law and µ-law have 8.
    private static func bytesPerSample(_ codec: String) -> Int {
        (Int(codec.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 8) / 8
    }
}
