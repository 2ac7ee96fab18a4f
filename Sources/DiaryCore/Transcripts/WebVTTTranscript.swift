/// WebVTT (W3C, section 4): the signature, and after an empty line each cue's times and lines. Without cues the signature alone.
package enum WebVTTTranscript {
    package static func text(_ cues: [Cue]) -> String {
        var text = "WEBVTT\n"
        for cue in cues {
            text += "\n\(CueTime.text(cue.start, fraction: ".")) --> \(CueTime.text(cue.end, fraction: "."))\n"
            // A voice span that is all of the cue needs no end.
            if let speaker = cue.speaker { text += "<v \(escaped(speaker))>" }
            for line in cue.lines { text += escaped(line) + "\n" }
        }
        return text
    }

    /// `-->` becomes `--&gt;`, which no reader takes for times.
    private static func escaped(_ line: String) -> String {
        line.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

/// SubRip subtitles: number, times, lines, and an empty line, each ended by CR LF. Without cues the file is empty.
package enum SubRipTranscript {
    package static func text(_ cues: [Cue]) -> String {
        var text = ""
        for (index, cue) in cues.enumerated() {
            text += "\(index + 1)\r\n\(CueTime.text(cue.start, fraction: ",")) --> \(CueTime.text(cue.end, fraction: ","))\r\n"
            // The form has no escapes, and readers take a line with an arrow for the times of a cue.
            for var line in cue.lines {
                while line.contains("-->") { line = line.replacing("-->", with: "->") }
                text += line + "\r\n"
            }
            text += "\r\n"
        }
        return text
    }
}

/// A time in subtitles: `00:01:02,345` in SubRip, `00:01:02.345` in WebVTT.
enum CueTime {
    static func text(_ milliseconds: Int, fraction mark: String) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, to: 2) }.joined(separator: ":")
        return clock + mark + padded(rest, to: 3)
    }

    private static func padded(_ number: Int, to count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
