/// A speaker's name in one line.
enum SpeakerLabel {
    static func text(_ name: String) -> String {
        String(SingleLine.text(name).prefix(Cue.lineLength - 1))
    }
}
