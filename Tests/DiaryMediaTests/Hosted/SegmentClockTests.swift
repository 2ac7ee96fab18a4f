import DiaryCore
import TestSupport
import Testing

@testable import DiaryMedia

@Suite("Times of segments on the clock of the recording")
struct SegmentClockTests {
    private func segment(_ text: String, _ start: Double?, _ end: Double?, _ speaker: String? = nil) -> HeardSegment {
        HeardSegment(text: text, start: start, end: end, speaker: speaker)
    }

    private func text(_ name: String, _ start: Double, _ end: Double) -> String {
        "\(name) \((start * 1_000).rounded() / 1_000) \((end * 1_000).rounded() / 1_000)"
    }

    private func placed(_ segments: [HeardSegment], in length: Double) -> [String] {
        SegmentClock.placed(segments, length: length).map { text($0.segment.text, $0.start, $0.end) }
    }

    /// With what overlaps put right.
    private func spoken(_ segments: [HeardSegment], in length: Double) -> [String] {
        HeardSpeech(segments: segments, use: EngineUse()).speechSegments(duration: length).map { text($0.text, $0.start, $0.end) }
    }

    @Test("a start that falls back begins a new piece where the last one ended, with its words; a window that overlaps begins none")
    func pieces() {
        var third = segment("three", 3, 12)
        third.words = [HeardWord(text: "three", start: 4, end: 5, confidence: 0.5)]
        let segments = [segment("one", 0, 10), segment("two", 10, 29), third, segment("four", 12, 28), segment("five", 0, 2)]
        #expect(placed(segments, in: 60) == ["one 0.0 10.0", "two 10.0 29.0", "three 32.0 41.0", "four 41.0 57.0", "five 57.0 59.0"])
        let words = SegmentClock.placed(segments, length: 60)[2].segment.words
        #expect(words == [HeardWord(text: "three", start: 33, end: 34, confidence: 0.5)])

        let windows = [segment("one", 0, 5), segment("two", 5, 8), segment("three", 4.8, 9)]
        #expect(placed(windows, in: 9) == ["one 0.0 5.0", "two 5.0 8.0", "three 4.8 9.0"])
        #expect(spoken(windows, in: 9) == ["one 0.0 5.0", "two 5.0 8.0", "three 8.0 9.0"])
    }

    @Test("pieces that are longer than the recording share it by their letters, in their order")
    func impossiblePieces() {
        let segments = [segment("aaaa", 0, 5), segment("bb", 5, 12), segment("cc", 0, 9), segment("dddd", 9, 12)]
        #expect(placed(segments, in: 12) == ["aaaa 0.0 4.0", "bb 4.0 6.0", "cc 6.0 8.0", "dddd 8.0 12.0"])
    }

    @Test("segments out of order, but apart from one another, are put in order")
    func outOfOrder() {
        let segments = [segment("three", 8, 12), segment("one", 0, 4), segment("two", 4.2, 8.1)]
        #expect(placed(segments, in: 12) == ["one 0.0 4.0", "two 4.2 8.1", "three 8.0 12.0"])
        #expect(spoken(segments, in: 12) == ["one 0.0 4.0", "two 4.2 8.1", "three 8.1 12.0"])
    }

    @Test(
        "hundredths, milliseconds, microseconds and nanoseconds are known by the recording's length", arguments: [100.0, 1_000, 1e6, 1e9])
    func units(unit: Double) {
        var second = segment("two", 2.5 * unit, 9 * unit)
        second.words = [HeardWord(text: "two", start: 3 * unit, end: 4 * unit, confidence: nil)]
        let segments = [segment("one", 0, 2.5 * unit), second]
        #expect(placed(segments, in: 10) == ["one 0.0 2.5", "two 2.5 9.0"])
        let words = SegmentClock.placed(segments, length: 10)[1].segment.words
        #expect(words == [HeardWord(text: "two", start: 3, end: 4, confidence: nil)])
    }

    @Test("one end far behind the recording's is no unit, and times outside are put inside")
    func outside() {
        #expect(placed([segment("one", -3, 2), segment("two", 2, 150)], in: 10) == ["one 0.0 2.0", "two 2.0 10.0"])
        #expect(placed([segment("one", 0, 2), segment("two", 1e300, 1e300)], in: 10) == ["one 0.0 2.0", "two 10.0 10.0"])
        #expect(placed([segment("one", 1, 2)], in: 0) == ["one 0.0 0.0"])
        #expect(placed([], in: 10).isEmpty)
    }

    @Test("times that are the same in all segments, or have no length in any, are none: all share the recording by their letters")
    func placeholders() {
        for times in [
            [(0, 0), (0, 0), (0, 0)], [(0, 12), (0, 12), (0, 12)], [(3, 4), (3, 4), (3, 4)], [(1, 1), (5, 5), (9, 9)],
        ] as [[(Double, Double)]] {
            let segments = zip(["aaa", "bbbbbb", "ccc"], times).map { segment($0, $1.0, $1.1) }
            #expect(placed(segments, in: 12) == ["aaa 0.0 3.0", "bbbbbb 3.0 9.0", "ccc 9.0 12.0"], "\(times)")
        }
    }

    @Test("segments without times share what is between their neighbours; a missing end is the next start, or the recording's end")
    func missing() {
        let between = [segment("one", 0, 2), segment("aaa", nil, nil), segment("b", nil, nil), segment("two", 6, 9)]
        #expect(placed(between, in: 9) == ["one 0.0 2.0", "aaa 2.0 5.0", "b 5.0 6.0", "two 6.0 9.0"])
        let around = [segment("a", nil, nil), segment("one", 4, 6), segment("b", nil, nil)]
        #expect(placed(around, in: 8) == ["a 0.0 4.0", "one 4.0 6.0", "b 6.0 8.0"])
        #expect(placed([segment("one", 0, nil), segment("two", 4, nil)], in: 9) == ["one 0.0 4.0", "two 4.0 9.0"])
        #expect(placed([segment("a", nil, nil), segment("b", nil, nil)], in: 9) == ["a 0.0 4.5", "b 4.5 9.0"])
    }

    @Test("speakers may overlap and are in order of their starts; one whose time is missing stays behind the one before")
    func speakers() {
        let grouped = [segment("one", 0, 5, "A"), segment("four", 6, 8, "A"), segment("two", 3, 4, "B"), segment("three", 3, 7, "C")]
        let ordered = ["one 0.0 5.0", "two 3.0 4.0", "three 3.0 7.0", "four 6.0 8.0"]
        #expect(placed(grouped, in: 9) == ordered && spoken(grouped, in: 9) == ordered)
        let untimed = [segment("one", 0, 2, "A"), segment("two", nil, nil, "B"), segment("three", 5, 8, "A"), segment("four", nil, nil)]
        #expect(placed(untimed, in: 9) == ["one 0.0 2.0", "two 2.0 5.0", "three 5.0 8.0", "four 8.0 9.0"])
    }

    @Test("each word goes to the segment whose time it is in, or by letters where times begin again")
    func words() {
        func shared(_ segments: [HeardSegment], _ words: [(String, Double, Double)]) -> [[String]] {
            var segments = segments
            SegmentClock.share(words.map { HeardWord(text: $0, start: $1, end: $2, confidence: nil) }, among: &segments)
            return segments.map { $0.words.map(\.text) }
        }
        let once = [segment("One two.", 0, 2), segment("Three.", 2, 4)]
        #expect(shared(once, [("one", 0, 1), ("two", 1, 2.2), ("three", 2.1, 4)]) == [["one", "two"], ["three"]])
        let again = [segment("One.", 0, 2), segment("Two!", 2, 4), segment("♪", 4, 5), segment("Three.", 0, 3)]
        #expect(shared(again, [("one", 0, 1), ("two", 2, 3), ("♪", 4, 5), ("three", 0, 1)]) == [["one"], ["two"], ["♪"], ["three"]])
        #expect(shared(once, []) == [[], []])
    }

    @Test("whatever the times, each word is inside the recording and in order, and none is lost", arguments: 0..<20)
    func anything(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let times: [Double?] = [nil, -5, 0, 0.3, 1, 2, 2.4, 5, 8.9, 9, 10, 100, 950, 9_000, 1e12, 1e300]
        let speakers: [String?] = [nil, "A", "B"]
        for _ in 0..<200 {
            let isAlone = Bool.random(using: &random)
            let segments = (0..<Int.random(in: 0...6, using: &random)).map { index in
                let (start, end) = (Int.random(in: times.indices, using: &random), Int.random(in: times.indices, using: &random))
                let speaker = Int.random(in: speakers.indices, using: &random)
                return segment("w\(index)", times[start], times[end], isAlone ? nil : speakers[speaker])
            }
            let lengths: [Double] = [0, 0.5, 9, 3_600]
            let length: Double = lengths.randomElement(using: &random) ?? 9
            let made: [SpeechSegment] = HeardSpeech(segments: segments, use: EngineUse()).speechSegments(duration: length)
            // A sum of shares may be off by its last digit.
            let isRight = made.allSatisfy { one in 0 <= one.start && one.start <= one.end && one.end <= length + 1e-9 }
            let isOrdered = zip(made, made.dropFirst()).allSatisfy { (one: SpeechSegment, next: SpeechSegment) -> Bool in
                one.speaker == next.speaker ? one.end <= next.start : one.start <= next.start
            }
            let texts = made.map { $0.text }.sorted()
            #expect(isRight && isOrdered && texts == segments.map { $0.text }, "\(segments) \(length)")
        }
    }
}
