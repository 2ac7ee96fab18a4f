import DiaryCore
import Glibc

/// What an engine heard, as its answer says it: times and texts are unchecked.
struct HeardSpeech: Sendable, Equatable {
    /// The primary language tag that the engine found; nil when it does not say.
    var language: String?
    var segments: [HeardSegment]
    var use: EngineUse
    /// The model that the answer names.
    var model: String?
    /// The answer ended within a value.
    var isCut = false
    /// Where the engine found voice; nil when it does not say.
    var voice: [VoiceSpan]?

    /// Whisper's own thresholds for silence (`no_speech_threshold`, `logprob_threshold` of its transcribe.py).
    static let silence = (noSpeech: 0.6, logprob: -1.0)

    /// Without segments in which the engine heard silence and guessed, and empty ones.
    func withoutSilence() -> HeardSpeech {
        var speech = self
        speech.segments.removeAll { segment in
            let isSilent = (segment.noSpeech ?? 0) > Self.silence.noSpeech && (segment.logprob ?? 0) < Self.silence.logprob
            return isSilent || segment.tokens.isEmpty
        }
        return speech
    }

    /// Whether a segment says nothing but the hints, several of them in their order: on silence Whisper repeats its prompt.
    func repeats(_ vocabulary: [String]) -> Bool { segments.contains { Self.isHints($0.text, vocabulary) } }

    func without(_ vocabulary: [String]) -> HeardSpeech {
        var speech = self
        speech.segments.removeAll { Self.isHints($0.text, vocabulary) }
        return speech
    }

    private static func isHints(_ text: String, _ vocabulary: [String]) -> Bool {
        let said = WordKey.of(text)
        let terms = vocabulary.map(WordKey.of).filter { !$0.isEmpty }
        guard !said.isEmpty, terms.count > 1 else { return said == terms.first }
        for first in terms.indices where said.hasPrefix(terms[first]) {
            var (all, count) = ("", 0)
            for term in terms[first...] where all.count < said.count { (all, count) = (all + term, count + 1) }
            if all == said, count > 1 { return true }
        }
        return false
    }

    var letters: Int { segments.reduce(0) { $0 + $1.text.unicodeScalars.count } }

    /// False for more text than a recording of this length can hold, which is then no transcript: the worker's filters read all of it.
    ///
    /// The fastest speakers say some 25 characters a second; four times that is for loops, which are filtered later, and 20,000 code points
    /// for what an engine invents in a short recording.
    func isSpeakable(in seconds: Double) -> Bool {
        Double(letters) <= Self.mostLetters(seconds)
    }

    static func mostLetters(_ seconds: Double) -> Double { 20_000 + 100 * max(0, seconds) }

    /// Over the segments that have one, by their number of words.
    var meanLogprob: Double? {
        let measured = segments.compactMap { segment in segment.logprob.map { (logprob: $0, words: Double(segment.tokens.count)) } }
        let words = measured.reduce(0) { $0 + $1.words }
        return words > 0 ? measured.reduce(0) { $0 + $1.logprob * $1.words } / words : nil
    }
}

struct HeardSegment: Sendable, Equatable {
    var text: String
    var start: Double?
    var end: Double?
    var speaker: String?
    /// Mean of the tokens' natural logarithms.
    var logprob: Double?
    var noSpeech: Double?
    var compression: Double?
    /// May be spelled without punctuation, and may be missing.
    var words: [HeardWord] = []

    /// The text between spaces; a script without spaces is one token. Signs that turn the direction, and unseen ones, are no words.
    var tokens: [String] {
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.filter { !Self.isUnseen($0.value) }))
        return shown.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }.map(String.init)
    }
}

extension HeardSegment {
    private static func isUnseen(_ value: UInt32) -> Bool {
        switch value {
        case 0x200B, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}

struct HeardWord: Sendable, Equatable {
    var text: String
    var start: Double
    var end: Double
    var confidence: Double?
}

extension HeardSpeech {
    /// - Parameters:
    ///   - asked: the language that was asked for, with its region; nil when the engine found it.
    ///   - seconds: of the recording.
    func answer(asked: String?, _ request: SpeechRequest, seconds: Double) -> SpeechAnswer {
        // `und` of BCP 47: the engine does not say which.
        let found = language ?? "und"
        let language = asked ?? request.userLanguages.first { WhisperLanguages.isSame($0, found) } ?? found
        return SpeechAnswer(
            RawTranscript(language: language, segments: speechSegments(duration: seconds), voice: voice), model: model, use: use)
    }
}

extension HeardSpeech {
    /// In order, inside the recording, words inside their segment. Segments overlap only where their speakers differ.
    /// - Parameter duration: of the recording, in seconds.
    func speechSegments(duration: Double) -> [SpeechSegment] {
        let length = duration.isFinite ? max(0, duration) : 0
        var made: [SpeechSegment] = []
        for placed in SegmentClock.placed(segments, length: length) {
            let segment = placed.segment
            var start = placed.start
            if let before = made.last {
                start = max(start, before.speaker == segment.speaker ? before.end : before.start)
            }
            let end = max(start, placed.end)
            let confidence = segment.logprob.map { Self.probability($0) }
            made.append(
                SpeechSegment(
                    start: start, end: end, words: segment.timedWords(from: start, to: end, confidence: confidence),
                    confidence: confidence ?? Self.mean(segment.words.compactMap(\.confidence)), speaker: segment.speaker))
        }
        return made
    }

    static func probability(_ logprob: Double) -> Double { min(1, max(0, exp(logprob))) }

    static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : min(1, max(0, values.reduce(0, +) / Double(values.count)))
    }
}
