/// The requested members of ffprobe's JSON; most numbers are strings.
struct FFprobeReport: Decodable {
    struct Stream: Decodable {
        var codec_name: String?
        var codec_type: String?
        var sample_rate: String?
        var channels: Int?
        var duration: String?
        var disposition: Disposition?
    }
    struct Disposition: Decodable {
        /// 1 for a track that players take; 0 in containers that do not say.
        var `default`: Int?
    }
    struct Container: Decodable {
        var duration: String?
    }

    var streams: [Stream]?
    var format: Container?

    static let entries = "stream=codec_type,codec_name,channels,sample_rate,duration:stream_disposition=default:format=duration"

    /// The tracks of sound that ffmpeg can decode, with their numbers among all of sound. Those that are turned off, and those that are said to be
    /// empty, come last.
    var audio: [(track: Int, stream: Stream)] {
        let all = (streams ?? []).filter { $0.codec_type == "audio" }.enumerated().map { (track: $0.offset, stream: $0.element) }
        let able = all.filter { $0.stream.codec_name.map(MediaFormat.isSupported) == true }
        func isEmpty(_ stream: Stream) -> Bool { stream.duration.flatMap { Double($0) } == 0 }
        func isOn(_ stream: Stream) -> Bool { stream.disposition?.default == 1 }
        let some = able.filter { !isEmpty($0.stream) }
        return some.filter { isOn($0.stream) } + some.filter { !isOn($0.stream) } + able.filter { isEmpty($0.stream) }
    }

    /// Of the sound, for the log: names of ffmpeg's own.
    var codecs: String {
        (streams ?? []).filter { $0.codec_type == "audio" }.map { stream in
            stream.codec_name.map { String($0.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 }.prefix(20).map(Character.init)) }
                ?? "unknown"
        }.joined(separator: ", ")
    }

    /// Seconds: the longer of the durations of container and track, nil without either.
    func duration(of track: Stream) -> Double? {
        [format?.duration, track.duration].compactMap { $0.flatMap { Double($0) } }.filter { $0.isFinite && $0 > 0 }.max()
    }
}
