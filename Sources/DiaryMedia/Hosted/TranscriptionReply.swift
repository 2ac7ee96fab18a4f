import DiaryCore
import WireFormats

/// Reads the answers of `/audio/transcriptions`: OpenAI's `CreateTranscriptionResponse…`, and what other servers make of them (words inside
/// segments with a `probability`, a language as a code, no segments).
enum TranscriptionReply {
    /// - Parameter seconds: of the recording, for what the answer leaves out.
    /// - Returns: nil for an object of another shape.
    static func read(_ answer: JSONObject, seconds: Double) -> HeardSpeech? {
        guard let text = answer["text"]?.string else { return nil }
        var segments: [HeardSegment] = []
        for value in answer["segments"]?.array ?? [] {
            guard let segment = value.object.flatMap(segment) else { return nil }
            segments.append(segment)
        }
        let words = (answer["words"]?.array ?? []).compactMap { $0.object.flatMap(word) }
        if segments.isEmpty {
            segments = [HeardSegment(text: text, logprob: logprob(answer["logprobs"]), words: words)]
        } else if segments.allSatisfy(\.words.isEmpty) {
            share(words, among: &segments)
        }
        return HeardSpeech(language: language(answer), segments: segments, use: use(answer["usage"]?.object, seconds))
    }

    /// `voice` of the speech server on this machine: an extension of OpenAI's shape.
    static func voice(_ answer: JSONObject) -> [VoiceSpan]? {
        answer["voice"]?.array?.compactMap { value in
            guard let span = value.object, let start = span["start"]?.double, let end = span["end"]?.double, start < end else { return nil }
            return VoiceSpan(start: start, end: end)
        }
    }

    private static func segment(_ object: JSONObject) -> HeardSegment? {
        guard let text = object["text"]?.string else { return nil }
        return HeardSegment(
            text: text, start: object["start"]?.double, end: object["end"]?.double, speaker: speaker(object["speaker"]?.string),
            logprob: object["avg_logprob"]?.double, noSpeech: object["no_speech_prob"]?.double,
            words: (object["words"]?.array ?? []).compactMap { $0.object.flatMap(word) })
    }

    private static func word(_ object: JSONObject) -> HeardWord? {
        guard let text = object["word"]?.string, let start = object["start"]?.double, let end = object["end"]?.double else { return nil }
        return HeardWord(text: text, start: start, end: end, confidence: object["probability"]?.double)
    }

    /// A label is a few letters. Code points are counted as everywhere: a character may have thousands.
    static func speaker(_ label: String?) -> String? {
        guard let label, !label.isEmpty else { return nil }
        return String(String.UnicodeScalarView(label.unicodeScalars.prefix(40)))
    }

    /// Gives each word to the last segment that starts before the word's middle.
    private static func share(_ words: [HeardWord], among segments: inout [HeardSegment]) {
        var at = 0
        for word in words {
            let middle = (word.start + word.end) / 2
            while at + 1 < segments.count, let next = segments[at + 1].start, next <= middle { at += 1 }
            segments[at].words.append(word)
        }
    }

    /// `language` of `verbose_json`, or the first of `languages`, which `gpt-transcribe` names.
    private static func language(_ answer: JSONObject) -> String? {
        let named = answer["language"]?.string ?? answer["languages"]?.array?.first?.object?["code"]?.string
        return named.flatMap(WhisperLanguages.tag)
    }

    /// Mean over all tokens.
    private static func logprob(_ tokens: JSONValue?) -> Double? {
        let values = (tokens?.array ?? []).compactMap { $0.object?["logprob"]?.double }
        return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    /// What the call used, by duration or by tokens; the recording's length when the answer does not say.
    private static func use(_ usage: JSONObject?, _ seconds: Double) -> EngineUse {
        EngineUse(
            audioSeconds: usage?["seconds"]?.double.map { max(0, $0) } ?? seconds, inputTokens: usage?["input_tokens"]?.count ?? 0,
            outputTokens: usage?["output_tokens"]?.count ?? 0)
    }
}
