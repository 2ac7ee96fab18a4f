/// The words of a recording as its client has recognised them itself.
package struct ClientTranscript: Sendable, Equatable {
    /// A stretch with its words; of phones often a single word.
    package struct Segment: Sendable, Equatable {
        /// Seconds from the recording's start.
        package var start: Double
        package var end: Double
        package var text: String
        /// 0 … 1; nil counts as certain.
        package var confidence: Double?

        package init(start: Double, end: Double, text: String, confidence: Double? = nil) {
            self.start = start
            self.end = end
            self.text = text
            self.confidence = confidence
        }
    }

    /// Of a request; its body may end them earlier.
    package static let mostSegments = 20_000
    /// Unicode code points.
    package static let segmentLength = 10_000
    package static let sourceLength = 100

    package var text: String
    /// BCP 47.
    package var language: String?
    /// What recognised them, such as `apple_speech`.
    package var source: String?
    /// Empty: the words have no times.
    package var segments: [Segment]

    package init(text: String, language: String? = nil, source: String? = nil, segments: [Segment] = []) {
        self.text = text
        self.language = language
        self.source = source
        self.segments = segments
    }

    /// Whether text and segments have the same letters and digits, which they must where there are segments.
    package var isConsistent: Bool {
        segments.isEmpty || WordKey.of(text) == WordKey.of(segments.map(\.text).joined())
    }

    /// Before it was cleaned.
    /// - Parameter version: of the part, and of the segments.
    func machine(version: Int64) -> MachinePart {
        MachinePart(raw: text, speechEngine: EngineReference(name: EngineReference.client, model: source), recognition: version)
    }

    /// As an engine's are stored; nil without times. Single words that follow one another become one segment up to a pause, the end of a
    /// sentence or its longest time.
    var spoken: [SpeechSegment]? {
        guard !segments.isEmpty else { return nil }
        let ordered = segments.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        let timed = ordered.map { SpeechSegment(start: $0.start, end: $0.end, words: Self.words(of: $0), confidence: $0.confidence) }
            .filter { !$0.words.isEmpty }
        return (isByWord(ordered) ? Self.joined(timed) : timed).numbered
    }

    /// Seconds between two words from which on they are apart.
    private static let pause = 0.8
    /// Seconds of a joined segment.
    private static let longest = 12.0

    /// Not of scripts without blanks between words, which joining would put in.
    private func isByWord(_ segments: [Segment]) -> Bool {
        let tokens = segments.flatMap { $0.text.split(whereSeparator: \.isWhitespace) }
        return Double(tokens.count) < 1.5 * Double(segments.count) && tokens == text.split(whereSeparator: \.isWhitespace)
    }

    private static func joined(_ segments: [SpeechSegment]) -> [SpeechSegment] {
        segments.reduce(into: []) { joined, segment in
            guard let last = joined.last, let word = last.words.last?.text, word.last.map({ !".!?…。".contains($0) }) ?? true,
                segment.start - last.end < pause, segment.end - last.start <= longest
            else {
                joined.append(segment)
                return
            }
            var longer = last
            longer.end = max(last.end, segment.end)
            longer.words += segment.words
            // Each word has its own.
            longer.confidence = nil
            joined[joined.count - 1] = longer
        }
    }

    /// Words share their segment's time by their letters.
    private static func words(of segment: Segment) -> [TimedWord] {
        let tokens = segment.text.split(whereSeparator: \.isWhitespace).map { token in
            let text = String(token)
            return (text: text, letters: WordKey.of(text).unicodeScalars.count)
        }
        let total = tokens.reduce(0) { $0 + $1.letters }
        let pace = (segment.end - segment.start) / Double(max(1, total))
        var passed = 0
        return tokens.map { token in
            let start = segment.start + pace * Double(passed)
            passed += token.letters
            let end = passed == total ? segment.end : segment.start + pace * Double(passed)
            return TimedWord(text: token.text, start: start, end: end, confidence: segment.confidence ?? 1)
        }
    }
}

/// What the service does with a recording whose words its client has recognised, or wants to keep as sound alone.
package enum Recognition: String, Sendable, CaseIterable {
    /// It is recognised as any other; until then, and when that fails, the client's words are shown.
    case always
    /// No engine hears it unless its owner asks (`NewRun`).
    case never
}

extension EngineReference {
    /// The name that stands for the client's own recogniser. No engine of an app has it.
    package static let client = "client"

    package var isClient: Bool { name == Self.client }
}

extension CanonicalBytes {
    mutating func add(_ transcript: ClientTranscript?) {
        guard let transcript else { return }
        add("transcript.text", transcript.text)
        add("transcript.language", transcript.language)
        add("transcript.source", transcript.source)
        for segment in transcript.segments {
            add("transcript.segment", "\(segment.start) \(segment.end) \(segment.confidence.map { "\($0)" } ?? "") \(segment.text)")
        }
    }
}
