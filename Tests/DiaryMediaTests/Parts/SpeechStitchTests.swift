import DiaryCore
import TestSupport
import Testing

@testable import DiaryMedia

@Suite("What was heard of parts, put together")
struct SpeechStitchTests {
    /// A word each half second, from the recording's start; each is another one.
    private static let spoken = (0..<600).map { index in
        TimedWord(text: "w\(index)", start: Double(index) / 2, end: Double(index) / 2 + 0.4, confidence: 0.9)
    }

    /// As an engine hears a part: counted from its start, times off by up to `jitter`, torn words at its edges misheard, in segments of 7 words.
    private static func part(
        _ index: Int, _ start: Double, _ end: Double, next: Double?, of words: [TimedWord] = spoken, jitter: Double = 0.15,
        using random: inout some RandomNumberGenerator
    ) -> SpeechPart {
        var heard: [TimedWord] = []
        for var word in words where word.end > start && word.start < end {
            if word.start < start || word.end > end { word.text = "torn" }
            let off = Double.random(in: -jitter...jitter, using: &random)
            word.start += off - start
            word.end += off - start
            heard.append(word)
        }
        let segments = stride(from: 0, to: heard.count, by: 7).map { at in
            let words = Array(heard[at..<min(at + 7, heard.count)])
            return SpeechSegment(start: words.first?.start ?? 0, end: words.last?.end ?? 0, words: words)
        }
        return SpeechPart(
            index: index, start: start, end: end, next: next, asked: nil, language: "en", model: nil,
            segments: SpeechStitch.placed(segments, from: start, to: end))
    }

    private static func parts(
        _ cuts: [Double], overlap: Double, of words: [TimedWord] = spoken, jitter: Double = 0.15, seed: UInt64
    ) -> [SpeechPart] {
        var random = SplitMix64(seed: seed)
        var parts: [SpeechPart] = []
        var start = 0.0
        for (index, end) in cuts.enumerated() {
            let next = index + 1 < cuts.count ? end - overlap : nil
            parts.append(part(index, start, end, next: next, of: words, jitter: jitter, using: &random))
            start = next ?? end
        }
        return parts
    }

    private func expectOrder(_ segments: [SpeechSegment]) {
        let words = segments.flatMap(\.words)
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.start <= $1.start })
        #expect(words.allSatisfy { $0.start <= $0.end })
        #expect(zip(segments, segments.dropFirst()).allSatisfy { $0.start <= $1.start })
        #expect(segments.allSatisfy { $0.start <= $0.end && !$0.words.isEmpty })
    }

    @Test("100 ways of cutting 300 s with overlaps give each word once, in order, within 0.3 s of where it was said", arguments: 0..<100)
    func overlaps(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ 1_000)
        var cuts: [Double] = []
        while (cuts.last ?? 0) < 270 { cuts.append((cuts.last ?? 0) + Double.random(in: 8...30, using: &random)) }
        let parts = Self.parts(cuts + [300], overlap: Double.random(in: 1...2, using: &random), seed: seed)

        let segments = SpeechStitch.joined(parts)

        let words = segments.flatMap(\.words)
        #expect(words.map(\.text) == Self.spoken.map(\.text))
        for (word, said) in zip(words, Self.spoken) { #expect(abs(word.start - said.start) < 0.3) }
        expectOrder(segments)
    }

    @Test("parts that were cut at pauses are put one behind the other")
    func pauses() {
        let parts = Self.parts([20.45, 47.95, 300], overlap: 0, jitter: 0, seed: 1)

        let segments = SpeechStitch.joined(parts)

        #expect(segments.flatMap(\.words).map(\.text) == Self.spoken.map(\.text))
        #expect(segments.flatMap(\.words).allSatisfy { word in Self.spoken.contains { abs($0.start - word.start) < 0.001 } })
        expectOrder(segments)
    }

    @Test("the same words said again and again are not taken for the overlap's: none is lost, none doubled")
    func repetition() {
        let said = ["no", "no", "no", "I", "said", "no"]
        let words = (0..<120).map { TimedWord(text: said[$0 % 6], start: Double($0) / 2, end: Double($0) / 2 + 0.4, confidence: 1) }
        let parts = Self.parts([21.7, 43.2, 60], overlap: 2, of: words, jitter: 0.1, seed: 3)

        let heard = SpeechStitch.joined(parts).flatMap(\.words).map(\.text)

        #expect(heard == words.map(\.text))
    }

    @Test("where both parts heard something else, the seam is the middle of the overlap")
    func disagreement() {
        let left = SpeechPart(
            index: 0, start: 0, end: 10, next: 8, asked: nil, language: "en", model: nil,
            segments: [SpeechSegment(start: 7, end: 10, words: Self.words(["a", "b", "c"], at: [7, 8.2, 9.5]))])
        let right = SpeechPart(
            index: 1, start: 8, end: 20, next: nil, asked: nil, language: "en", model: nil,
            segments: [SpeechSegment(start: 8, end: 12, words: Self.words(["x", "y", "z"], at: [8, 9.3, 11]))])

        let segments = SpeechStitch.joined([left, right])

        #expect(segments.flatMap(\.words).map(\.text) == ["a", "b", "y", "z"])
        expectOrder(segments)
    }

    @Test("times outside the part, backwards or no numbers are brought inside it and into order")
    func wildTimes() {
        let words = Self.words(["a", "b", "c", "d"], at: [-3, .nan, 5_000, 2])
        let segments = [
            SpeechSegment(start: .infinity, end: -1, words: words), SpeechSegment(start: 4, end: 6, words: Self.words(["e"], at: [4])),
        ]

        let placed = SpeechStitch.placed(segments, from: 100, to: 130)

        for segment in placed { expectOrder([segment]) }
        #expect(placed.map(\.start) == placed.map(\.start).sorted())
        #expect(placed.flatMap(\.words).allSatisfy { (100...130).contains($0.start) && (100...130).contains($0.end) })
    }

    @Test("the language of most words is the whole's; silence has none of its own")
    func languages() {
        func part(_ language: String, _ count: Int) -> SpeechPart {
            let words = Self.words(Array(repeating: "a", count: count), at: Array(repeating: 0, count: count))
            return SpeechPart(
                index: 0, start: 0, end: 1, next: nil, asked: nil, language: language, model: nil,
                segments: [SpeechSegment(start: 0, end: 1, words: words)])
        }

        #expect(SpeechStitch.language(of: [part("en", 3), part("de", 4), part("en", 2)]) == "en")
        #expect(SpeechStitch.language(of: [part("fr", 0), part("de", 1)]) == "de")
        #expect(SpeechStitch.language(of: [part("fr", 0)]) == "fr")
    }

    private static func words(_ texts: [String], at starts: [Double]) -> [TimedWord] {
        zip(texts, starts).map { TimedWord(text: $0, start: $1, end: $1 + 0.4, confidence: 1) }
    }
}
