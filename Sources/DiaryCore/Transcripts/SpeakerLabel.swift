/// A speaker's name in one line.
enum SpeakerLabel {
    static func text(_ name: String) -> String {
        let words = name.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        return String(words.map { String(Substring($0)) }.joined(separator: " ").prefix(Cue.lineLength - 1))
    }
}
