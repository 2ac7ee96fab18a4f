import Testing

@testable import DiaryCore

@Suite("Voice compared with words")
struct VoiceCoverageTests {
    private func spoken(_ times: ClosedRange<Double>...) -> [SpeechSegment] {
        times.map { time in
            SpeechSegment(
                start: time.lowerBound, end: time.upperBound,
                words: stride(from: time.lowerBound, to: time.upperBound, by: 0.5).map {
                    TimedWord(text: "a", start: $0, end: min(time.upperBound, $0 + 0.5), confidence: 1)
                })
        }
    }

    private func voice(_ times: ClosedRange<Double>...) -> [VoiceSpan] {
        times.map { VoiceSpan(start: $0.lowerBound, end: $0.upperBound) }
    }

    @Test("a gap goes over short pauses and ends at long ones; pauses are none of its time")
    func gaps() {
        let coverage = VoiceCoverage(voice: voice(0...4, 5...8, 8.5...12, 20...24), segments: spoken(0...4, 20...24))

        #expect(coverage.gaps == voice(5...12))
        #expect(coverage.thousandths == Int(((1 - 6.5 / 14.5) * 1_000).rounded()))
        #expect(VoiceCoverage(voice: voice(0...4, 9...11, 14...16), segments: spoken(0...4)).gaps.isEmpty, "each is short")
        #expect(VoiceCoverage(voice: voice(0...4, 9...11, 12...14), segments: spoken(0...4)).gaps == voice(9...14))
        #expect(VoiceCoverage(voice: voice(0...4, 9...11, 13.7...16), segments: spoken(0...4)).gaps == voice(9...16))
    }

    @Test("nothing is missing where no voice is, and everything where no word is")
    func ends() {
        #expect(VoiceCoverage(voice: [], segments: []) == VoiceCoverage(thousandths: 1_000, gaps: []))
        #expect(VoiceCoverage(voice: voice(1...9), segments: []) == VoiceCoverage(thousandths: 0, gaps: voice(1...9)))
    }

    @Test("a word that claims a minute covers two seconds; a segment whose words were cut covers nothing")
    func claims() {
        let word = TimedWord(text: "so", start: 0, end: 60, confidence: 1)
        let long = SpeechSegment(start: 0, end: 60, words: [word])
        var cut = SpeechSegment(start: 0, end: 60, words: [])
        cut.marks = [SpeechMark.notSpeech.rawValue]

        #expect(VoiceCoverage(voice: voice(0...60), segments: [long]).gaps == voice(2...60))
        #expect(VoiceCoverage(voice: voice(0...60), segments: [cut]).gaps == voice(0...60))
        let wild = SpeechSegment(start: .nan, end: .infinity, words: [TimedWord(text: "x", start: .nan, end: -.infinity, confidence: 1)])
        #expect(VoiceCoverage(voice: voice(0...60), segments: [wild]).gaps == voice(0...60))
    }

    @Test("a segment whose time was shared out among its words covers all of it: where they are is not known")
    func shared() {
        let words = (0..<3).map { TimedWord(text: "w", start: Double($0) * 140, end: Double($0 + 1) * 140, confidence: 1) }

        let coverage = VoiceCoverage(voice: voice(200...215), segments: [SpeechSegment(start: 0, end: 420, words: words)])

        #expect(coverage == VoiceCoverage(thousandths: 1_000, gaps: []))
    }

    @Test("words that follow each other without a pause cover their own times, however long the segment claims to be")
    func closeWords() {
        let times = [5.0, 5.3, 5.4, 6.0]
        let words = zip(times, times.dropFirst()).map { TimedWord(text: "word", start: $0, end: $1, confidence: 1) }
        let torn = SpeechSegment(start: 5, end: 20, words: words)
        let claiming = SpeechSegment(start: 5, end: 20, words: words + [TimedWord(text: "so", start: 6, end: 20, confidence: 1)])

        #expect(VoiceCoverage(voice: voice(5...20), segments: [torn]).gaps == voice(6...20))
        #expect(VoiceCoverage(voice: voice(5...20), segments: [claiming]).gaps == voice(8...20))
    }

    @Test("a word beside a gap is missing with it, also before a pause; what engines cut from the end of a word is none")
    func edges() {
        let words = spoken(0...5.2, 13.8...20)

        #expect(
            VoiceCoverage(voice: voice(0...5.4, 6.4...10.7, 13.6...20), segments: words).gaps == [VoiceSpan(start: 5.2, end: 13.8)])
        #expect(VoiceCoverage(voice: voice(0...5.3, 6.4...10.7, 13.7...20), segments: words).gaps == voice(6.4...10.7))
        #expect(VoiceCoverage(voice: voice(0...5.4, 7.9...10.7, 13.6...20), segments: words).gaps.isEmpty, "it is short without them")
    }

    @Test("it is read as it was stored, and another text is none")
    func stored() {
        let coverage = VoiceCoverage(thousandths: 912, gaps: voice(12.5...19.25, 60...70.001))

        #expect(coverage.text == "912 12500-19250 60000-70001")
        #expect(VoiceCoverage(text: coverage.text) == coverage)
        #expect(VoiceCoverage(text: "1000") == VoiceCoverage(thousandths: 1_000, gaps: []))
        #expect(VoiceCoverage(text: "") == nil && VoiceCoverage(text: "much") == nil)
    }
}
