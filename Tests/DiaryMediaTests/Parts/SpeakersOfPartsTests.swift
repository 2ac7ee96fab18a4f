import DiaryCore
import Testing

@testable import DiaryMedia

@Suite("Speakers across the parts of a recording")
struct SpeakersOfPartsTests {
    /// A segment for each `(speaker, start, end)`.
    private static func segments(_ turns: [(String?, Double, Double)]) -> [SpeechSegment] {
        turns.map { speaker, start, end in
            SpeechSegment(
                start: start, end: end, words: [TimedWord(text: "a", start: start, end: end, confidence: 1)], speaker: speaker)
        }
    }

    private static func part(_ index: Int, _ turns: [(String?, Double, Double)]) -> SpeechPart {
        SpeechPart(
            index: index, start: 0, end: 1_000, next: nil, asked: nil, language: "en", model: nil, segments: segments(turns))
    }

    private static func labels(_ speakers: [String?], known: [String: String] = [:], after parts: [SpeechPart]) -> [String?] {
        SpeakersOfParts.renamed(segments(speakers.map { ($0, 0, 1) }), known: known, after: parts).map(\.speaker)
    }

    @Test("the labels of the first part stay, and those of a later one go on after them: no two people have one")
    func unknown() {
        #expect(Self.labels(["B", "A", nil, "B"], after: []) == ["B", "A", nil, "B"])

        let first = Self.part(0, [("A", 0, 1), ("B", 1, 2)])
        #expect(Self.labels(["A", "B", "A", nil, "C"], after: [first]) == ["C", "D", "C", nil, "E"])
        #expect(Self.labels(["B"], after: [first]) == ["C"])
        #expect(Self.labels(["C", "A"], after: [first]) == ["C", "D"])

        let second = Self.part(1, [("C", 0, 1)])
        #expect(Self.labels(["A"], after: [first, second]) == ["D"])
    }

    @Test("a speaker that the engine was given has one label in all parts, and a new one gets a free letter")
    func known() {
        let first = Self.part(0, [("A", 0, 1), ("B", 1, 2)])
        let known = ["known_1": "B", "known_2": "A"]

        #expect(Self.labels(["known_2", "A", "known_1", "B"], known: known, after: [first]) == ["A", "C", "B", "D"])
    }

    @Test("labels that are no letters stay while they are free, and letters go on behind Z")
    func otherLabels() {
        let first = Self.part(0, [("SPEAKER_00", 0, 1)])
        #expect(Self.labels(["SPEAKER_00", "SPEAKER_01"], after: [first]) == ["A", "SPEAKER_01"])

        let alphabet = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
        let many = Self.part(0, alphabet.map { ($0, 0, 1) })
        #expect(Self.labels(["A", "B"], after: [many]) == ["AA", "AB"])
    }

    @Test("a sample is the longest stretch in which a speaker is heard alone, its middle when it is long")
    func samples() {
        let part = Self.part(
            0,
            [
                ("A", 0, 2), ("A", 2.5, 4), ("B", 4, 24), (nil, 24, 30),
                // Beneath A's next words.
                ("C", 30, 34), ("A", 31, 40),
                // Too short.
                ("D", 50, 52), ("A", 52, 53),
            ])

        let samples = SpeakersOfParts.samples(of: [part], atMost: 4)

        #expect(
            samples == [
                SpeakersOfParts.Sample(speaker: "B", start: 10, end: 18), SpeakersOfParts.Sample(speaker: "A", start: 34, end: 40),
            ])
    }

    @Test("those who have spoken longest have samples, and each keeps that of the first part that has one")
    func ranks() {
        let first = Self.part(0, [("A", 0, 2), ("B", 2, 6), ("C", 6, 9)])
        let second = Self.part(1, [("A", 10, 20), ("B", 20, 28), ("C", 28, 31), ("E", 31, 40)])

        #expect(SpeakersOfParts.samples(of: [first, second], atMost: 0).isEmpty)
        #expect(
            SpeakersOfParts.samples(of: [first, second], atMost: 3) == [
                SpeakersOfParts.Sample(speaker: "B", start: 2, end: 6),
                SpeakersOfParts.Sample(speaker: "A", start: 11, end: 19),
                SpeakersOfParts.Sample(speaker: "E", start: 31.5, end: 39.5),
            ])
    }
}
