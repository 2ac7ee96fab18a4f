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
