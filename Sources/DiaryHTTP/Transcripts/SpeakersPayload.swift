import DiaryCore
import WireFormats

enum SpeakersPayload {
    /// The speakers of a recording in the order in which they first speak.
    static func write(_ transcript: Transcript, to w: inout JSONWriter) {
        w.array("speakers", transcript.speakers) { w, speaker in
            w.object { w in
                w.member("id", speaker)
                w.member("name", transcript.corrections.speakers[speaker])
            }
        }
    }
}

extension Transcript {
    /// As the engine tells them apart, each once, in the order in which they first speak.
    var speakers: [String] {
        var seen = Set<String>()
        return (segments ?? []).compactMap(\.speaker).filter { seen.insert($0).inserted }
    }

    /// What subtitles call the speakers. Empty when there is one who has no name: then nothing is to be told apart.
    var speakerLabels: [String: String] {
        let (speakers, names) = (speakers, corrections.speakers)
        guard speakers.count > 1 || speakers.contains(where: { names[$0] != nil }) else { return [:] }
        return Dictionary(speakers.map { ($0, SpeakerLabel.text(names[$0] ?? $0)) }) { first, _ in first }
    }
}

/// A speaker's name in one line.
enum SpeakerLabel {
    static func text(_ name: String) -> String {
        let words = name.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        return String(words.map { String(Substring($0)) }.joined(separator: " ").prefix(Cue.lineLength - 1))
    }
}
