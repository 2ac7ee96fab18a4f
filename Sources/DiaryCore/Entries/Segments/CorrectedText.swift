import DiaryCrypto
import WireFormats

/// The machine's text as the owner's corrections of segments have changed it. The API writes it with them, so that lists show it without
/// reading segments.
package struct CorrectedText: Sendable, Equatable {
    package let text: String
    /// Tells which text of the machine it was made from, and of which recognition. Beside another one it is not shown: that was made from
    /// corrected words, or the corrections have gone with the segments.
    let basis: String

    private init(text: String, basis: String) {
        self.text = text
        self.basis = basis
    }

    /// - Returns: nil when it is the machine's text itself.
    package init?(_ text: String, of machine: MachinePart) {
        guard text != machine.shown, let basis = Self.basis(of: machine) else { return nil }
        self.init(text: text, basis: basis)
    }

    /// As it is sealed: the basis, a blank and the text.
    var stored: String { "\(basis) \(text)" }

    init?(stored: String) {
        guard let blank = stored.unicodeScalars.firstIndex(of: " ") else { return nil }
        self.init(text: String(stored.unicodeScalars[stored.unicodeScalars.index(after: blank)...]), basis: String(stored[..<blank]))
    }

    func isMade(from machine: MachinePart) -> Bool { Self.basis(of: machine) == basis }

    /// nil without a text.
    static func basis(of machine: MachinePart) -> String? {
        guard let shown = machine.shown else { return nil }
        let recognition = machine.recognition.map { String($0) } ?? ""
        return Hex.encode(Array(SHA256.digest(Array("\(recognition) \(shown)".utf8)).prefix(8)))
    }
}

extension PersonalPart {
    /// Of another text of the machine it is as none, also where a later run has replaced that.
    mutating func dropCorrected(of machine: MachinePart) {
        if corrected?.isMade(from: machine) == false { corrected = nil }
    }
}

extension MachinePart {
    /// Cleaned before raw.
    package var shown: String? { clean ?? raw }
}

extension Transcript {
    /// The words of the segments, corrected where they are.
    package static func words(of segments: [SpeechSegment]) -> String {
        segments.map(\.shownText).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// With other corrections, also in the text to show. It is made anew of the machine's, in which the words are looked for that differ from
    /// those that it was made from: so corrections that are taken back leave nothing.
    func corrected(by corrections: SegmentCorrections) -> Transcript {
        var transcript = self
        transcript.corrections = corrections
        guard let segments else { return transcript }
        let corrected = corrections.applied(to: segments)
        transcript.segments = corrected
        let after = Self.words(of: corrected)
        guard Self.words(of: segments) != after else { return transcript }
        let cleaned = cleanedCorrections
        transcript.corrections.cleaned = cleaned
        let before = Self.words(of: SegmentCorrections(texts: cleaned?.texts ?? [:]).applied(to: segments))
        transcript.entry.personal.corrected = nil
        if before != after {
            let text = entry.machine.clean.flatMap { WordReplacement.text($0, replacing: before, by: after) } ?? after
            transcript.entry.personal.corrected = CorrectedText(text, of: entry.machine)
        }
        return transcript
    }

    /// The corrections that are in the cleaned text already; nil without one. Before the first correction of it they are the present ones.
    /// Beside a corrected text of an import they are not known: there are rarely any.
    private var cleanedCorrections: SegmentCorrections.Cleaned? {
        guard entry.machine.clean != nil, let basis = CorrectedText.basis(of: entry.machine) else { return nil }
        if let cleaned = corrections.cleaned, cleaned.basis == basis { return cleaned }
        return SegmentCorrections.Cleaned(basis: basis, texts: entry.personal.corrected == nil ? corrections.texts : [:])
    }

    /// What was recognised with the owner's corrections: a line for each segment, with its speaker where several speak.
    package var correctedLines: String? {
        guard let segments else { return nil }
        let labels = speakerLabels
        return segments.compactMap { segment -> String? in
            let text = SingleLine.text(segment.shownText)
            guard !text.isEmpty else { return nil }
            return (segment.shownSpeaker.flatMap { labels[$0] }.map { "\($0): " } ?? "") + text
        }.joined(separator: "\n")
    }
}
