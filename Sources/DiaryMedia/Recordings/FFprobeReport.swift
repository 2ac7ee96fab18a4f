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

    /// The tracks of sound that ffmpeg can decode, with their numbers among all of sound. Those that are said to be empty come last.
    var audio: [(track: Int, stream: Stream)] {
        let all = (streams ?? []).filter { $0.codec_type == "audio" }.enumerated().map { (track: $0.offset, stream: $0.element) }
        let able = all.filter { $0.stream.codec_name.map(MediaFormat.isSupported) == true }
        func isEmpty(_ stream: Stream) -> Bool { stream.duration.flatMap { Double($0) } == 0 }
        return able.filter { !isEmpty($0.stream) } + able.filter { isEmpty($0.stream) }
    }

    /// Seconds: the longer of the durations of container and track, nil without either.
    func duration(of track: Stream) -> Double? {
        [format?.duration, track.duration].compactMap { $0.flatMap { Double($0) } }.filter { $0.isFinite && $0 > 0 }.max()
    }
}
