import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryHTTP

@Suite("Cues of a transcript") struct CueTests {
    /// What holds for the cues of any transcript.
    private static func expectRules(_ cues: [Cue], of segments: [SpeechSegment], _ place: SourceLocation = #_sourceLocation) {
        for cue in cues {
            #expect(cue.start >= 0 && cue.end > cue.start && cue.end - cue.start <= Cue.longest, "\(cue)", sourceLocation: place)
            #expect((1...2).contains(cue.lines.count), "\(cue)", sourceLocation: place)
            #expect(cue.lines.allSatisfy { !$0.isEmpty && $0.count <= Cue.lineLength }, "\(cue)", sourceLocation: place)
        }
        for (cue, next) in zip(cues, cues.dropFirst()) {
            #expect(cue.end <= next.start, "\(cue) \(next)", sourceLocation: place)
        }
        let (shown, said) = (cues.flatMap(\.lines).joined(), segments.flatMap(\.corrected.words).map(\.text).joined())
        #expect(letters(shown) == letters(said), sourceLocation: place)
    }

    private static func letters(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { !$0.properties.isWhitespace && $0.properties.generalCategory != .control }
    }

    /// Words at the times of their segment alone.
    private static func untimed(_ words: [String], from start: Double, to end: Double) -> SpeechSegment {
        SpeechSegment(start: start, end: end, words: words.map { TimedWord(text: $0, start: 0, end: 0, confidence: 1) })
    }

    @Test("a short segment is one cue, from its first word to its last")
    func short() {
        let cues = Cue.cues(of: [Spoken.segment("we swam before breakfast", at: 1.5)])

        #expect(cues == [Cue(start: 1_500, end: 3_400, lines: ["we swam before breakfast"])])
    }

    @Test("a longer one has two lines of about the same length, and the rest is the next cue")
    func twoLines() {
        let cues = Cue.cues(of: [
            Spoken.segment("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen")
        ])

        #expect(
            cues == [
                Cue(
                    start: 0, end: 6_900, lines: ["one two three four five six seven eight", "nine ten eleven twelve thirteen fourteen"]),
                Cue(start: 7_000, end: 7_900, lines: ["fifteen sixteen"]),
            ])
    }

    @Test("lines of exactly 42 characters are full")
    func fullLines() {
        let line = String(repeating: "a", count: 20) + " " + String(repeating: "b", count: 21)

        let cues = Cue.cues(of: [Spoken.segment("\(line) \(line) c")])

        #expect(cues.map(\.lines) == [[line, line], ["c"]])
    }

    @Test("a speaker stands before each cue and counts as part of its lines; a correction shares the segment's time")
    func speakers() {
        var long = Spoken.segment((1...30).map { "word\($0)" }.joined(separator: " "))
        long.speaker = "A"
        var corrected = Spoken.segment("um no", at: 20)
        (corrected.speaker, corrected.editedText) = ("B", "No.")

        let cues = Cue.cues(of: [long, corrected], labels: ["A": "Anna", "B": "Bo"], asWords: true)
        let told = Cue.cues(of: [long, corrected], labels: ["A": "Anna", "B": "Bo"])

        #expect(cues.dropLast().allSatisfy { $0.lines[0].hasPrefix("Anna: ") } && cues.count > 2)
        #expect(cues.allSatisfy { $0.lines.count <= 2 && $0.lines.allSatisfy { $0.count <= Cue.lineLength } })
        #expect(cues.last == Cue(start: 20_000, end: 20_900, lines: ["Bo: No."], speaker: "Bo"))
        #expect(told.last?.lines == ["No."] && told.map(\.speaker).dropLast().allSatisfy { $0 == "Anna" })
        #expect(Cue.cues(of: [corrected], labels: ["B": String(repeating: "x", count: 41)], asWords: true).first?.lines.count == 2)
    }

    @Test("the end of a sentence ends a cue of more than a line, and a pause or the end of a segment ends any")
    func ends() {
        let sentences = Spoken.segment("First sentence which is longer than a single line of text. Second one follows.")
        var paused = Spoken.segment("before", at: 20)
        paused.words += Spoken.segment("after", at: 22).words
        paused.end = 22.4

        let cues = Cue.cues(of: [sentences, paused, Spoken.segment("another", at: 22.5)])

        #expect(
            cues.map(\.lines) == [
                ["First sentence which is longer", "than a single line of text."], ["Second one follows."], ["before"], ["after"],
                ["another"],
            ])
    }

    @Test("no cue is shown longer than seven seconds, and none shorter than 0.8 unless the next segment begins")
    func durations() {
        let slow = SpeechSegment(
            start: 0, end: 30,
            words: [
                TimedWord(text: "so", start: 0, end: 20, confidence: 1), TimedWord(text: "slow", start: 20, end: 20.1, confidence: 1),
            ])

        #expect(Cue.cues(of: [slow]).map { [$0.start, $0.end] } == [[0, 7_000], [20_000, 20_800]])
        let dense = ["x", "y", "z"].enumerated().map { Spoken.segment($1, at: Double($0) * 0.1) }
        #expect(
            Cue.cues(of: dense).map { [$0.start, $0.end] } == [[0, 266], [266, 533], [533, 800]], "said at once, they share the time")
    }

    @Test("of two who speak at once neither is squeezed into the time before the other")
    func overlap() {
        let long = Spoken.segment(Array(repeating: "twelve", count: 40).joined(separator: " "))
        let cues = Cue.cues(of: [long, Spoken.segment("mhm", at: 0.5)])

        #expect(cues.firstIndex { $0.lines == ["mhm"] } == 1 && cues.contains { $0.start > 10_000 })
        #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.end <= $1.start })
    }

    @Test("cues at the end of a segment begin early enough to end with it, each after 0.8 seconds at least")
    func lateWords() {
        var segment = Spoken.segment("first")
        segment.words += Spoken.segment("one two three four five six seven. eight nine ten eleven twelve.", at: 9.6).words
        segment.words += Spoken.segment("last", at: 17.3).words
        segment.end = 17.4

        let cues = Cue.cues(of: [segment])

        #expect(cues.first.map { [$0.start, $0.end] } == [0, 800])
        #expect(cues.last.map { [$0.start, $0.end] } == [16_600, 17_400] && cues.last?.lines == ["last"])
        Self.expectRules(cues, of: [segment])
    }

    @Test(
        "a long correction shares the time of its segment by length, and leaves the next one its own",
        arguments: [String(repeating: "swam ", count: 2_000), String(repeating: "a", count: 10_000)])
    func longCorrection(text: String) {
        var segments = [Spoken.segment("we swam"), Spoken.segment("before breakfast", at: 7.4), Spoken.segment("and rowed", at: 36)]
        (segments[0].end, segments[0].editedText) = (7.4, text)
        (segments[2].end, segments[2].editedText) = (37, text)

        let cues = Cue.cues(of: segments)
        let first = cues.prefix { $0.start < 7_400 }

        Self.expectRules(cues, of: segments)
        #expect(first.count > 100 && first.first?.start == 0 && first.last?.end == 7_400)
        #expect(first.dropLast().allSatisfy { (50...75).contains($0.end - $0.start) })
        #expect(cues[first.count] == Cue(start: 7_400, end: 8_300, lines: ["before breakfast"]))
        #expect(cues[first.count + 1].start == 36_000 && cues.last?.end == 37_000)
    }

    @Test("a segment without any length lasts at most until the next one, which begins later only where a millisecond each does not fit")
    func noLength() {
        func segment(_ text: String, at start: Double) -> SpeechSegment {
            SpeechSegment(start: start, end: start, words: [TimedWord(text: text, start: start, end: start, confidence: 1)])
        }
        func times(_ segments: [SpeechSegment]) -> [[Int]] { Cue.cues(of: segments).map { [$0.start, $0.end] } }
        let words = String(repeating: "swam ", count: 100)

        #expect(times([segment("x", at: 3), segment("y", at: 3.01)]) == [[3_000, 3_010], [3_010, 3_810]])
        #expect(times([segment("x", at: 3), segment("y", at: 3)]) == [[3_000, 3_400], [3_400, 3_800]])
        let crowded = Cue.cues(of: [segment(words, at: 3), segment("y", at: 3.001)])
        #expect(crowded.dropLast().map { $0.end - $0.start } == Array(repeating: 1, count: crowded.count - 1))
        #expect(crowded.last.map { [$0.start, $0.end] } == [3_000 + crowded.count - 1, 3_800 + crowded.count - 1])
    }

    @Test("words without times of their own share those of their segment by length")
    func withoutTimes() {
        let segment = Self.untimed(["aaaa", "bbbb", "cc"], from: 2, to: 12)

        #expect(
            Cue.cues(of: [segment]) == [Cue(start: 2_000, end: 6_000, lines: ["aaaa"]), Cue(start: 6_000, end: 12_000, lines: ["bbbb cc"])])
    }

    @Test("a script without spaces is broken behind its marks, and otherwise at the end of a line")
    func withoutSpaces() {
        let sentence = "今日は朝から天気がとても良かったので家族と一緒に近くの公園まで散歩に行きました。"
        let segment = Self.untimed([sentence + "そのあとで湖で泳いで昼ごはんを食べて帰ってきました。"], from: 0, to: 6)

        #expect(Cue.cues(of: [segment]).map(\.lines) == [[sentence, "そのあとで湖で泳いで昼ごはんを食べて帰ってきました。"]])
        let long = Cue.cues(of: [Self.untimed([String(repeating: "泳", count: 50)], from: 0, to: 6)])
        #expect(long.map(\.lines) == [[String(repeating: "泳", count: 42), String(repeating: "泳", count: 8)]])
    }

    @Test("what readers see as one character is never taken apart", arguments: ["👩‍👩‍👧‍👦", "e\u{301}", "🇩🇪", "की", "\u{1F44B}\u{1F3FD}"])
    func clusters(character: String) {
        let cues = Cue.cues(of: [Self.untimed([String(repeating: character, count: 50)], from: 0, to: 6)])

        #expect(cues.map(\.lines) == [[String(repeating: character, count: 42), String(repeating: character, count: 8)]])
    }

    @Test("line breaks and control characters end a word and are not shown")
    func controls() {
        let cues = Cue.cues(of: [Self.untimed(["a\nb\r\nc", "\u{0}", "d\u{2028}\u{85}e", ""], from: 0, to: 2)])

        #expect(cues.map(\.lines) == [["a b c d e"]])
        #expect(Cue.cues(of: [Self.untimed(["", " "], from: 0, to: 2), SpeechSegment(start: 0, end: 1, words: [])]) == [])
    }

    @Test(
        "times that are no times, go backwards or are out of any bound give cues in order all the same",
        arguments: [
            [Double.nan, .infinity, -.infinity], [5, 3, 1], [0, 0, 0], [-7, -3, 1e300], [1e18, 1e18, 1e18], [359_999, 360_000, 400_000],
        ])
    func wildTimes(starts: [Double]) {
        let words = starts.map { TimedWord(text: "word", start: $0, end: $0 + 1, confidence: .nan) }
        let segments =
            [SpeechSegment(start: starts[0], end: starts[1], words: words)]
            + starts.map { SpeechSegment(start: $0, end: $0, words: [TimedWord(text: "one", start: $0, end: $0, confidence: 1)]) }

        Self.expectRules(Cue.cues(of: segments), of: segments)
    }

    @Test("the rules hold, and no word is lost or moved, in transcripts of every make", arguments: 1...40)
    func rules(seed: UInt64) {
        var dice = Dice(numbers: SplitMix64(seed: seed))
        let pool = [
            "a", "swam", "اليوم", "मैंने", "👩‍👩‍👧‍👦", "été", "泳いだ。", "end.", String(repeating: "ก็", count: 60), "-->", "\u{301}mark",
            "\u{200D}", "🇩🇪🇫🇷", "", "two words",
        ]
        var at = 0.0
        let segments = (0..<dice.below(5)).map { _ in
            let start = at
            let words = (0..<dice.below(40)).map { _ in
                let word = TimedWord(
                    text: pool[dice.below(pool.count)], start: dice.below(60) == 0 ? .nan : at, end: at + dice.part() * 1.2, confidence: 1)
                at = max(0, word.end + (dice.below(10) == 0 ? 3 : dice.part() * 0.5 - 0.3))
                return word
            }
            return SpeechSegment(start: start, end: at, words: words)
        }

        Self.expectRules(Cue.cues(of: segments), of: segments)
    }

    private struct Dice {
        var numbers: SplitMix64

        mutating func below(_ bound: Int) -> Int { Int(numbers.next() % UInt64(bound)) }
        /// 0 to 1.
        mutating func part() -> Double { Double(numbers.next() >> 11) / 9_007_199_254_740_992 }
    }
}
