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
