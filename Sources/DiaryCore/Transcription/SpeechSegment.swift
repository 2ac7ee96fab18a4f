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

    /// A speaker that the owner has given is no guess.
    package var shownMarks: [String] {
        (marks ?? []).filter { editedSpeaker == nil || $0 != SpeechMark.guessedSpeaker.rawValue }
    }

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

/// One recognised word; times in seconds from the recording's start, confidence 0 … 1.
package struct TimedWord: Sendable, Equatable, Codable {
    package var text: String
    package var start: Double
    package var end: Double
    package var confidence: Double

    package init(text: String, start: Double, end: Double, confidence: Double) {
        self.text = text
        self.start = start
        self.end = end
        self.confidence = confidence
    }
}

/// What is doubtful about a segment. Stored and shown; later versions may add values.
package enum SpeechMark: String, Sendable, CaseIterable {
    /// The engine wrote the same words many times over; all but the first were cut.
    case repeated
    /// The mean confidence of its words is below 0.5.
    case lowConfidence = "low_confidence"
    /// Words that speech engines are known to write over silence or noise; cut.
    case notSpeech = "not_speech"
    /// The engine told no speakers apart; this one was guessed by pauses.
    case guessedSpeaker = "guessed_speaker"
}

/// The form in which words are compared: letters and digits in lower case, or the whole text when it has none of either.
package enum WordKey {
    package static func of(_ text: String) -> String {
        let kept = text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        return kept.isEmpty ? text : String(String.UnicodeScalarView(kept))
    }
}

extension SpeechSegment {
    /// The engine's, or else the mean of its words, from 0 to 1 to three digits; nil when nothing tells.
    package var meanConfidence: Double? {
        let known = (confidence.map { [$0] } ?? words.map(\.confidence)).filter(\.isFinite)
        guard !known.isEmpty else { return nil }
        return min(1, max(0, (known.reduce(0, +) / Double(known.count) * 1_000).rounded() / 1_000))
    }
}
