/// What cues are made of: a word without spaces, or a piece of one that is longer than a line. Times in milliseconds.
struct CueWord: Sendable, Equatable {
    var text: String
    /// In characters as readers count them (extended grapheme clusters), which are never split.
    var length: Int
    /// Follows the one before without a space.
    var continues: Bool
    var start: Int
    var end: Int

    var endsSentence: Bool { text.last.map(Self.sentenceEnds.contains) ?? false }

    private static let sentenceEnds = Set<Character>(".!?…。！？؟।")
    private static let clauseEnds = Set<Character>("。、，！？；")

    /// In order. Times are those of the segment's words where these can be used, and otherwise the segment's, shared out by length.
    static func words(of segment: SpeechSegment) -> [CueWord] {
        // The times of what was heard are not those of a correction.
        let words = segment.corrected.words
        if areUsable(words) {
            return words.flatMap { timed(pieces(of: $0.text), from: milliseconds($0.start), to: milliseconds($0.end)) }
        }
        let start = milliseconds(segment.start)
        return timed(words.flatMap { pieces(of: $0.text) }, from: start, to: max(start, milliseconds(segment.end)))
    }

    /// Before the words of a cue.
    static func label(_ speaker: String) -> CueWord {
        CueWord(text: speaker + ":", length: speaker.count + 1, continues: false, start: 0, end: 0)
    }

    /// Times that go forward, and are not one and the same for several words.
    private static func areUsable(_ words: [TimedWord]) -> Bool {
        guard words.allSatisfy({ $0.start.isFinite && $0.end.isFinite && $0.start <= $0.end }) else { return false }
        guard zip(words, words.dropFirst()).allSatisfy({ $0.start <= $1.start }) else { return false }
        return words.count < 2 || words.first?.start != words.last?.start
    }

    private static func pieces(of text: String) -> [CueWord] {
        SingleLine.words(of: text).flatMap { scalars in
            var pieces: [CueWord] = []
            var rest = Substring(scalars)
            while !rest.isEmpty {
                var piece = rest.prefix(Cue.lineLength)
                // Scripts without spaces: behind a comma or a full stop when there is one.
                if piece.endIndex < rest.endIndex, let mark = piece.lastIndex(where: clauseEnds.contains) { piece = piece[...mark] }
                pieces.append(CueWord(text: String(piece), length: piece.count, continues: !pieces.isEmpty, start: 0, end: 0))
                rest = rest[piece.endIndex...]
            }
            return pieces
        }
    }

    /// Shares a stretch of time out by length.
    private static func timed(_ words: [CueWord], from start: Int, to end: Int) -> [CueWord] {
        let total = max(1, words.reduce(0) { $0 + $1.length })
        var passed = 0
        return words.map { word in
            var word = word
            word.start = start + (end - start) * passed / total
            passed += word.length
            word.end = start + (end - start) * passed / total
            return word
        }
    }

    /// Below 100 hours, the most that two digits of hours can say.
    static func milliseconds(_ seconds: Double) -> Int {
        guard seconds.isFinite else { return 0 }
        return Int((min(max(seconds, 0), 359_990) * 1_000).rounded())
    }
}
