/// The requested members of ffprobe's JSON; most numbers are strings.
struct FFprobeReport: Decodable {
    struct Stream: Decodable {
        var codec_name: String?
        var codec_type: String?
        var sample_rate: String?
        var channels: Int?
        var duration: String?
    }
    struct Container: Decodable {
        var duration: String?
    }

    var streams: [Stream]?
    var format: Container?

    static let entries = "stream=codec_type,codec_name,channels,sample_rate,duration:format=duration"

    var audio: Stream? { streams?.first { $0.codec_type == "audio" } }

    /// Seconds: the longer of the durations of container and track, nil without either.
    var duration: Double? {
        [format?.duration, audio?.duration].compactMap { $0.flatMap { Double($0) } }.filter { $0.isFinite && $0 > 0 }.max()
    }
}
