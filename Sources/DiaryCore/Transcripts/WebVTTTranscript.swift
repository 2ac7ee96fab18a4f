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
