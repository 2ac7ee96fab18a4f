extension Transcript {
    /// Their labels, each once, in the order in which they first speak.
    package var speakers: [String] { Self.unique((segments ?? []).compactMap(\.shownSpeaker)) }

    /// Also those of whom the owner's corrections have left nothing, at the end.
    package var allSpeakers: [String] { Self.unique(speakers + (segments ?? []).compactMap(\.speaker)) }

    private static func unique(_ labels: [String]) -> [String] {
        var seen = Set<String>()
        return labels.filter { seen.insert($0).inserted }
    }

    /// What subtitles call the speakers. Empty when there is one who has no name: then nothing is to be told apart.
    package var speakerLabels: [String: String] {
        let (speakers, names) = (speakers, corrections.speakers)
        guard speakers.count > 1 || speakers.contains(where: { names[$0] != nil }) else { return [:] }
        return Dictionary(speakers.map { ($0, SpeakerLabel.text(names[$0] ?? $0)) }) { first, _ in first }
    }
}
