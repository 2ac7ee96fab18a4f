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

/// The comments of ffmpeg's `framehash` format, such as `#codec_id 0: aac`.
enum FramehashReport {
    /// - Returns: the tracks in the order in which they were asked for.
    static func audio(_ output: [UInt8]) -> [FFprobeReport.Stream] {
        (0..<32).prefix { "\n\(String(decoding: output, as: UTF8.self))".contains("\n#media_type \($0): ") }.compactMap {
            track(output, $0)
        }
    }

    private static func track(_ output: [UInt8], _ number: Int) -> FFprobeReport.Stream? {
        var values: [Substring: Substring] = [:]
        let text = String(decoding: output, as: UTF8.self)
        for line in text.split(separator: "\n") where line.hasPrefix("#") {
            guard let mark = line.firstRange(of: " \(number): ") else { continue }
            values[line[line.startIndex..<mark.lowerBound]] = line[mark.upperBound...]
        }
        guard values["#media_type"] == "audio", let codec = values["#codec_id"] else { return nil }
        return FFprobeReport.Stream(
            codec_name: String(codec), codec_type: "audio", sample_rate: values["#sample_rate"].map(String.init),
            channels: values["#channel_layout_name"].flatMap(channels))
    }

    /// The number of channels of a layout that ffmpeg names: `mono`, `5.1(side)`, `6 channels`. nil for an unknown name.
    private static func channels(_ layout: Substring) -> Int? {
        let name = layout.prefix { $0 != "(" && $0 != " " && $0 != "-" }
        switch name {
        case "mono": return 1
        case "stereo", "downmix": return 2
        case "quad": return 4
        case "hexagonal": return 6
        case "octagonal", "cube": return 8
        default:
            // The parts of `5.1` are its loudspeakers; a single number is followed by `channels`.
            let parts = name.split(separator: ".").map { Int($0) }
            return parts.isEmpty ? nil : parts.reduce(0) { sum, part in part.flatMap { part in sum.map { $0 + min(part, 1024) } } }
        }
    }
}
