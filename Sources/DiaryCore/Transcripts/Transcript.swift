/// The words of an entry, with their times when these were asked for.
package struct Transcript: Sendable {
    package var entry: Entry
    /// nil when they were not asked for and before a recording has been recognised; empty when nothing is said in it.
    package var segments: [SpeechSegment]?
    /// They are in `segments` already.
    package var corrections = SegmentCorrections()
    /// In which dates are written, of the owner's profile.
    package var locale: String?
    /// Of the words that the service adds.
    package var language = WrittenLanguage.en

    /// - Throws: `transcriptNotReady` of a recording that has neither recognised words nor its owner's.
    package func expectWords() throws(DiaryError) {
        if entry.facts.kind == .voice, entry.machine.raw == nil, entry.personal.edited == nil { throw DiaryError(.transcriptNotReady) }
    }

    /// The recognised segments.
    /// - Throws: `notAVoiceEntry`, `transcriptNotReady`.
    package func recognized() throws(DiaryError) -> [SpeechSegment] {
        guard entry.facts.kind == .voice else { throw DiaryError(.notAVoiceEntry) }
        guard let segments else {
            throw DiaryError(.transcriptNotReady, detail: entry.facts.status == .transcribed ? "The words have no times." : nil)
        }
        return segments
    }
}

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

/// A speaker's name in one line.
enum SpeakerLabel {
    static func text(_ name: String) -> String {
        String(SingleLine.text(name).prefix(Cue.lineLength - 1))
    }
}

/// Text in one line, where line breaks would be a part of the form.
package enum SingleLine {
    /// White space and control characters between words become one space, at the ends nothing.
    package static func text(_ text: String) -> String {
        words(of: text).map { String(Substring($0)) }.joined(separator: " ")
    }

    /// Without white space and control characters at the ends.
    package static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, separates(first) { scalars = scalars.dropFirst() }
        while let last = scalars.last, separates(last) { scalars = scalars.dropLast() }
        return String(Substring(scalars))
    }

    static func words(of text: String) -> [Substring.UnicodeScalarView] { text.unicodeScalars.split(whereSeparator: separates) }

    /// Also line and paragraph separators (U+2028, U+2029), which are white space.
    static func separates(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
}
