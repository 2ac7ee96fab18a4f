/// What one speaker says in a segment, as the owner has corrected it.
package struct SpokenLine: Sendable, Equatable {
    /// nil where it was not told.
    package var speaker: String?
    /// In one line.
    package var text: String

    package var plain: String { (speaker.map { "\($0): " } ?? "") + text }
}

extension Transcript {
    /// Segment by segment; empty where there is nobody to be told apart. Segments without words have no line.
    package var spokenLines: [SpokenLine] {
        let labels = speakerLabels
        guard !labels.isEmpty else { return [] }
        return (segments ?? []).compactMap { segment in
            let text = SingleLine.text(segment.shownText)
            return text.isEmpty ? nil : SpokenLine(speaker: segment.shownSpeaker.flatMap { labels[$0] }, text: text)
        }
    }
}
