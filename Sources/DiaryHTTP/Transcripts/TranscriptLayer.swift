import DiaryCore

/// Which of an entry's texts is meant.
enum TranscriptLayer: String, Sendable, CaseIterable {
    case raw, clean, edited
    /// What was recognised, with the owner's corrections: a line for each segment, with its speaker where several speak.
    case corrected
    /// The one to show: edited before clean before raw.
    case shown

    func text(of transcript: Transcript) -> String? {
        let entry = transcript.entry
        return switch self {
        case .raw: entry.machine.raw
        case .clean: entry.machine.clean
        case .edited: entry.personal.edited
        case .corrected: transcript.segments.map { Self.lines(of: $0, labels: transcript.speakerLabels) }
        case .shown: entry.text
        }
    }

    private static func lines(of segments: [SpeechSegment], labels: [String: String]) -> String {
        segments.compactMap { segment -> String? in
            let text = SingleLine.text(segment.shownText)
            guard !text.isEmpty else { return nil }
            return (segment.shownSpeaker.flatMap { labels[$0] }.map { "\($0): " } ?? "") + text
        }.joined(separator: "\n")
    }
}
