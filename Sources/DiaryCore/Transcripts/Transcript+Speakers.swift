extension Transcript {
    /// Their labels, each once, in the order in which they first speak.
    package var speakers: [String] { Self.unique((segments ?? []).compactMap(\.shownSpeaker)) }

    /// Also those of whom the owner's corrections have left nothing, at the end.
    package var allSpeakers: [String] { Self.unique(speakers + (segments ?? []).compactMap(\.speaker)) }

    private static func unique(_ labels: [String]) -> [String] {
        var seen = Set<String>()
        return labels.filter { seen.insert($0).inserted }
    }

    /// What subtitles call the speakers. Empty when one without a name speaks in every segment: then nothing is to be told apart.
    package var speakerLabels: [String: String] {
        let (speakers, names) = (speakers, corrections.speakers)
        let isTold = speakers.count > 1 || speakers.contains { names[$0] != nil } || (segments ?? []).contains { $0.shownSpeaker == nil }
        guard isTold else { return [:] }
        return Dictionary(speakers.map { ($0, SpeakerLabel.text(names[$0] ?? $0)) }) { first, _ in first }
    }
}
