import DiaryCore
import WireFormats

/// Reads the answers of `/audio/transcriptions`: OpenAI's `CreateTranscriptionResponse…`, and what other servers make of them. The words count
/// wherever they are: in the text, in segments, in words with times, inside another object. What is odd beside them is left out.
enum TranscriptionReply {
    /// - Parameter seconds: of the recording, for what the answer leaves out.
    /// - Returns: nil when it has no transcript.
    static func read(_ answer: JSONValue, seconds: Double) -> HeardSpeech? {
        guard let found = transcript(in: answer) else { return nil }
        var tags = ModelTags()
        let text = tags.cleaned(text(found) ?? "")
        guard Double(text.unicodeScalars.count) <= HeardSpeech.mostLetters(seconds) else { return nil }
        var segments = (list(found, ["segments", "chunks", "utterances"]) ?? []).compactMap { segment($0, &tags) }
        let words = (list(found, ["words"]) ?? []).compactMap { word($0, &tags) }
        if segments.allSatisfy(\.tokens.isEmpty) {
            let logprob = logprob(found["logprobs"])
            segments = [HeardSegment(text: text.isEmpty ? joined(words.map(\.text)) : text, logprob: logprob, words: words)]
        } else {
            segments = MissingWords.completed(segments, by: text.isEmpty ? joined(words.map(\.text)) : text)
            if segments.allSatisfy(\.words.isEmpty) { SegmentClock.share(words, among: &segments) }
        }
        return HeardSpeech(
            language: language(found) ?? tags.language.flatMap(WhisperLanguages.tag), segments: SpeechMeasures.believable(segments),
            use: use(found["usage"]?.object, seconds))
    }

    /// `voice` of the speech server on this machine: an extension of OpenAI's shape.
    static func voice(_ answer: JSONObject) -> [VoiceSpan]? {
        answer["voice"]?.array?.compactMap { value in
            guard let span = value.object, let start = span["start"]?.double, let end = span["end"]?.double, start < end else { return nil }
            return VoiceSpan(start: start, end: end)
        }
    }

    // MARK: where the words are

    private static let texts = ["text", "transcript", "transcription"]
    /// Objects and lists inside one another. A list of one counts as what is in it.
    private static let deepest = 6

    /// The outermost object that has words, or else one that says that there are none.
    private static func transcript(in answer: JSONValue) -> JSONObject? {
        if let text = answer.string { return ["text": .string(text)] }
        var silent: JSONObject?
        var level = [answer]
        for _ in 0..<deepest {
            for value in level {
                guard let object = candidate(value) else { continue }
                if hasWords(object) { return object }
                silent = silent ?? object
            }
            level = level.flatMap { value -> [JSONValue] in
                switch value {
                case .object(let object): object.members.sorted { $0.name < $1.name }.map(\.value)
                case .array(let values): Array(values.prefix(64))
                default: []
                }
            }
        }
        return silent
    }

    private static func candidate(_ value: JSONValue) -> JSONObject? {
        switch value {
        // Segments without an object around them.
        case .array(let values) where values.count > 1 && values.contains { text($0.object ?? JSONObject()) != nil }: ["segments": value]
        case .object(let object) where text(object) != nil || list(object, ["segments", "chunks", "utterances", "words"]) != nil: object
        default: nil
        }
    }

    private static func hasWords(_ object: JSONObject) -> Bool {
        if text(object)?.contains(where: \.isLetter) == true { return true }
        return ["segments", "chunks", "utterances", "words"].contains { name in
            list(object, [name])?.contains {
                ($0.string ?? $0.object.flatMap { text($0) ?? token($0) })?.contains(where: \.isLetter) == true
            } == true
        }
    }

    private static func text(_ object: JSONObject) -> String? {
        let found = texts.compactMap { object[$0]?.string ?? object[$0]?.strings?.joined(separator: " ") }
        return found.first { !$0.isEmpty } ?? found.first
    }

    private static func list(_ object: JSONObject, _ names: [String]) -> [JSONValue]? {
        names.lazy.compactMap { object[$0]?.array }.first { !$0.isEmpty } ?? names.lazy.compactMap { object[$0]?.array }.first
    }

    // MARK: segments and words

    private static func segment(_ value: JSONValue, _ tags: inout ModelTags) -> HeardSegment? {
        if let text = value.string { return HeardSegment(text: tags.cleaned(text)) }
        guard let object = value.object else { return nil }
        let words = (list(object, ["words"]) ?? []).compactMap { word($0, &tags) }
        guard let text = text(object).map({ tags.cleaned($0) }) ?? (words.isEmpty ? nil : joined(words.map(\.text))) else { return nil }
        let times = object["timestamp"]?.array
        return HeardSegment(
            text: text, start: object["start"]?.double ?? times?.first?.double,
            end: object["end"]?.double ?? times?.dropFirst().first?.double,
            speaker: speaker(label(object["speaker"])), logprob: object["avg_logprob"]?.double, noSpeech: object["no_speech_prob"]?.double,
            compression: object["compression_ratio"]?.double, words: words)
    }

    private static func word(_ value: JSONValue, _ tags: inout ModelTags) -> HeardWord? {
        guard let object = value.object, let text = token(object).map({ tags.cleaned($0) }), let start = object["start"]?.double,
            let end = object["end"]?.double
        else { return nil }
        let confidence = ["probability", "confidence", "score"].lazy.compactMap { object[$0]?.double }.first { (0...1).contains($0) }
        return HeardWord(text: text, start: start, end: end, confidence: confidence)
    }

    private static func token(_ object: JSONObject) -> String? {
        object["punctuated_word"]?.string ?? object["word"]?.string ?? object["text"]?.string
    }

    /// Whisper's own words begin with the space before them.
    private static func joined(_ words: [String]) -> String {
        words.joined(separator: words.contains { $0.first?.isWhitespace == true } ? "" : " ")
    }

    private static func label(_ value: JSONValue?) -> String? {
        if case .number(let number)? = value { return number }
        return value?.string
    }

    /// A label is a few letters. Code points are counted as everywhere: a character may have thousands.
    static func speaker(_ label: String?) -> String? {
        guard let label, !label.isEmpty else { return nil }
        return String(String.UnicodeScalarView(label.unicodeScalars.prefix(40)))
    }

    // MARK: facts

    /// `language` of `verbose_json`, or the first of `languages`, which `gpt-transcribe` names.
    private static func language(_ answer: JSONObject) -> String? {
        let first = answer["languages"]?.array?.first
        let named = answer["language"]?.string ?? first?.object?["code"]?.string ?? first?.string
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

/// What servers write where they have measured nothing.
enum SpeechMeasures {
    /// Without the measures of a segment that has one outside its range, and without those that are the same round number in every segment.
    static func believable(_ segments: [HeardSegment]) -> [HeardSegment] {
        var segments = segments
        for index in segments.indices {
            let segment = segments[index]
            let isMeasured =
                (segment.logprob ?? 0) <= 0 && (0...1).contains(segment.noSpeech ?? 0) && (segment.compression ?? 0) >= 0
            if !isMeasured { (segments[index].logprob, segments[index].noSpeech, segments[index].compression) = (nil, nil, nil) }
        }
        if isPlaceholder(segments.map(\.logprob)) { for index in segments.indices { segments[index].logprob = nil } }
        if isPlaceholder(segments.map(\.noSpeech)) { for index in segments.indices { segments[index].noSpeech = nil } }
        return segments
    }

    /// Whisper's own measures are those of half a minute, so that several segments may have the same; not one as round as this.
    private static func isPlaceholder(_ values: [Double?]) -> Bool {
        guard values.count > 1, let first = values.first, let first, values.allSatisfy({ $0 == first }) else { return false }
        return (first * 100).rounded() == first * 100
    }
}

extension JSONValue {
    /// A finite number, also as a text.
    var double: Double? {
        let spelling: String
        switch self {
        case .number(let number): spelling = number
        case .string(let text) where text.utf8.count <= 40: spelling = text
        default: return nil
        }
        guard let number = Double(spelling), number.isFinite else { return nil }
        return number
    }

    /// A whole number of 0 … 10⁹: larger counts are a mistake.
    var count: Int? { double.flatMap { Int(exactly: min(max(0, $0), 1e9).rounded()) } }
}
