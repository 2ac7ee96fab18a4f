import Foundation
import Testing

@testable import DiaryCore

@Suite("Corrections of segments")
struct SegmentCorrectionsTests {
    @Test("corrections of an earlier version, which has none of speakers, are read")
    func earlier() throws {
        let stored = Data(#"{"texts":{"1":"Hello"},"speakers":{"A":"Anna"}}"#.utf8)

        let corrections = try JSONDecoder().decode(SegmentCorrections.self, from: stored)

        #expect(corrections == SegmentCorrections(texts: [1: "Hello"], speakers: ["A": "Anna"]))
    }

    @Test("what is stored is read again, and each correction is shown in its segment alone")
    func applied() throws {
        let corrections = SegmentCorrections(texts: [1: "Hello"], segmentSpeakers: [2: "C"])
        let read = try JSONDecoder().decode(SegmentCorrections.self, from: JSONEncoder().encode(corrections))
        let heard = (1...3).map { SpeechSegment(start: Double($0), end: Double($0) + 1, words: [], id: $0, speaker: "A") }

        let shown = read.applied(to: heard)

        #expect(read == corrections && !corrections.isEmpty)
        #expect(shown.map(\.shownText) == ["Hello", "", ""] && shown.map(\.shownSpeaker) == ["A", "C", "A"])
        #expect(shown.map(\.isEdited) == [true, true, false])
    }
}
