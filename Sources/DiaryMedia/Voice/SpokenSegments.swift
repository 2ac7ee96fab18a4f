import DiaryCore

/// What engines heard, brought together with where a recording has voice.
enum SpokenSegments {
    /// Seconds beside voice in which words still are its own.
    private static let margin = 0.5
    /// Seconds beside a gap in which the same word is the same one, torn at its edge.
    private static let reach = 0.8
    /// Words a second of voice, below which what is heard in a gap is invented.
    private static let slowest = 1.0
    /// Letters of a word: scripts without spaces have a sentence in a word.
    private static let lettersOfWord = 5.0

    /// Cuts the words of segments that lie where nobody speaks: engines write sentences over silence and music.
    static func onlyVoiced(_ segments: [SpeechSegment], _ voice: [VoiceSpan]) -> [SpeechSegment] {
        segments.map { segment in
            guard !segment.words.isEmpty, !voice.reach(from: segment.start - margin, to: segment.end + margin) else { return segment }
            var segment = segment
            segment.words = []
            segment.marks = (segment.marks ?? []) + [SpeechMark.notSpeech.rawValue]
            return segment
        }
    }

    /// Puts what was heard of a gap in its place. A segment with words on both sides of it becomes two.
    /// - Parameter voiced: seconds of voice in the gap.
    /// - Returns: the segments as they are when too little was heard.
    static func filling(
        _ gap: VoiceSpan, of segments: [SpeechSegment], with heard: [SpeechSegment], voiced: Double
    ) -> [SpeechSegment] {
        let neighbours = segments.flatMap(\.words).filter { $0.end > gap.start - reach && $0.start < gap.end + reach }
        let found = heard.compactMap {
            kept($0) { word in
                let middle = (word.start + word.end) / 2
                let isTorn = neighbours.contains {
                    WordKey.of($0.text) == WordKey.of(word.text) && abs(($0.start + $0.end) / 2 - middle) < reach
                }
                return middle >= gap.start && middle <= gap.end && !isTorn
            }
        }
        let words = found.flatMap(\.words)
        let letters = words.reduce(0) { $0 + Double($1.text.unicodeScalars.count) } / lettersOfWord
        guard max(Double(words.count), letters) >= slowest * voiced else { return segments }
        let middle = (gap.start + gap.end) / 2
        let split = segments.flatMap { segment -> [SpeechSegment] in
            guard segment.start < middle, segment.end > middle, !segment.words.isEmpty else { return [segment] }
            return [kept(segment) { $0.start < middle }, kept(segment) { $0.start >= middle }].compactMap(\.self)
        }
        return (split + found).sorted { $0.start < $1.start }
    }

    /// With some of its words; nil without any.
    private static func kept(_ segment: SpeechSegment, _ isKept: (TimedWord) -> Bool) -> SpeechSegment? {
        var segment = segment
        segment.words = segment.words.filter(isKept)
        guard let first = segment.words.first, let last = segment.words.last else { return nil }
        (segment.start, segment.end) = (first.start, max(first.start, last.end))
        return segment
    }
}
