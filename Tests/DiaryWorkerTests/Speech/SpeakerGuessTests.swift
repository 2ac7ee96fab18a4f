import DiaryCore
import Testing

@testable import DiaryWorker

@Suite("Guessed speakers")
struct SpeakerGuessTests {
    private func transcript(_ said: [(start: Double, end: Double)], speaker: String? = nil) -> RawTranscript {
        RawTranscript(
            language: "en",
            segments: said.map { start, end in
                SpeechSegment(
                    start: start, end: end, words: [TimedWord(text: "so", start: start, end: end, confidence: 1)], speaker: speaker)
            })
    }

    @Test("two speak by turns, who change where nothing is said for 0.8 seconds; each segment is marked")
    func turns() {
        let guessed = SpeakerGuess.apply(transcript([(0, 1), (1.5, 2), (3, 4), (3.5, 3.6), (5, 6)]))

        #expect(guessed.segments.map(\.speaker) == ["A", "A", "B", "B", "A"])
        #expect(guessed.segments.allSatisfy { $0.marks == ["guessed_speaker"] })
    }

    @Test("nobody is told apart without a pause, and no speaker of an engine is replaced")
    func none() {
        for heard in [transcript([(0, 1), (1.2, 2)]), transcript([(0, 1), (9, 10)], speaker: "C"), transcript([])] {
            #expect(SpeakerGuess.apply(heard) == heard)
        }
    }

    @Test("a segment whose words were cut has no speaker, and earlier marks stay")
    func cut() {
        var heard = transcript([(0, 1), (2, 3), (4, 5)])
        heard.segments[1].words = []
        heard.segments[2].marks = ["low_confidence"]

        let guessed = SpeakerGuess.apply(heard)

        #expect(guessed.segments.map(\.speaker) == ["A", nil, "B"])
        #expect(guessed.segments.last?.marks == ["low_confidence", "guessed_speaker"])
    }
}
