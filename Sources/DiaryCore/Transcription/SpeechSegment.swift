/// A stretch of speech between pauses.
package struct SpeechSegment: Sendable, Equatable, Codable {
    package var start: Double
    package var end: Double
    /// Empty where words were cut that are no speech (`marks` says why).
    package var words: [TimedWord]
    /// From 1, unique in the recording; nil as an engine answers, given before it is stored (`numbered`).
    package var id: Int? = nil
    /// The engine's for the whole segment, 0 … 1; nil where only its words have one.
    package var confidence: Double? = nil
    /// How the engine tells speakers apart, e.g. `A`; nil when it does not.
    package var speaker: String? = nil
    /// The owner's correction; never stored here (`SegmentCorrections`).
    package var editedText: String? = nil
    /// Likewise: the label of another speaker.
    package var editedSpeaker: String? = nil

    /// What is doubtful about it, of `SpeechMark`; nil: nothing.
    package var marks: [String]? = nil

    package init(
        start: Double, end: Double, words: [TimedWord], id: Int? = nil, confidence: Double? = nil, speaker: String? = nil,
        editedText: String? = nil, editedSpeaker: String? = nil, marks: [String]? = nil
    ) {
        self.start = start
        self.end = end
        self.words = words
        self.id = id
        self.confidence = confidence
        self.speaker = speaker
        self.editedText = editedText
        self.editedSpeaker = editedSpeaker
        self.marks = marks
    }

    /// The text as it was heard.
    package var text: String { words.map(\.text).joined(separator: " ") }

    package var isEdited: Bool { editedText != nil || editedSpeaker != nil }

    /// Corrected, or else as it was heard.
    package var shownText: String { editedText ?? text }

    /// Likewise.
    package var shownSpeaker: String? { editedSpeaker ?? speaker }

    /// With the corrected words in place of those that were heard. Its words share the segment's time.
    package var corrected: SpeechSegment {
        guard let editedText else { return self }
        var segment = self
        segment.words = editedText.split(whereSeparator: \.isWhitespace).map {
            TimedWord(text: String($0), start: start, end: end, confidence: 1)
        }
        return segment
    }
}

extension [SpeechSegment] {
    /// With its place as the id of each.
    package var numbered: [SpeechSegment] {
        enumerated().map { place, segment in
            var segment = segment
            segment.id = place + 1
            return segment
        }
    }
}
