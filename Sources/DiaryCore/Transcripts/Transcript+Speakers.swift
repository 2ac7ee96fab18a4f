extension Transcript {
    /// As the engine tells them apart, each once, in the order in which they first speak.
    package var speakers: [String] {
        var seen = Set<String>()
        return (segments ?? []).compactMap(\.speaker).filter { seen.insert($0).inserted }
    }

    /// What subtitles call the speakers. Empty when there is one who has no name: then nothing is to be told apart.
    package var speakerLabels: [String: String] {
        let (speakers, names) = (speakers, corrections.speakers)
        guard speakers.count > 1 || speakers.contains(where: { names[$0] != nil }) else { return [:] }
        return Dictionary(speakers.map { ($0, SpeakerLabel.text(names[$0] ?? $0)) }) { first, _ in first }
    }
}
