import DiaryTesting
import Testing

@testable import DiaryCore

@Suite("The text to show with corrections")
struct CorrectedTextTests {
    @Test("it goes with the recognition that it was made from, also when the next one hears the same words")
    func recognition() {
        var machine = MachinePart(raw: "we swam", clean: "We swam.", recognition: 2)
        var personal = PersonalPart()
        personal.corrected = CorrectedText("We rowed.", of: machine)
        #expect(MachinePart(plain: machine.plainBytes.span) == machine)

        // As a cleaning leaves it that finds the same text.
        machine.cleanup = Cleanup(thousandths: 970)
        personal.dropCorrected(of: machine)
        #expect(personal.corrected?.text == "We rowed.")

        machine.recognition = 5
        personal.dropCorrected(of: machine)
        #expect(personal.corrected == nil)
    }

    @Test("what begins with a combining mark is read as it was stored")
    func combining() throws {
        let machine = MachinePart(raw: "we swam", recognition: 2)
        var personal = PersonalPart()
        personal.corrected = try #require(CorrectedText("\u{301}we rowed", of: machine))
        personal.notes = [EntryNote(id: NoteID(UUIDv7.make()), text: "\u{301}here", at: 1, createdAt: Stub.recording.facts.createdAt)]
        #expect(PersonalPart(plain: personal.plainBytes.span) == personal)
    }

    private static func transcript(
        _ heard: [String], clean: String, _ corrections: SegmentCorrections = SegmentCorrections()
    ) -> Transcript {
        let segments = heard.enumerated().map { place, text -> SpeechSegment in
            let words = text.split(separator: " ").map { TimedWord(text: String($0), start: 0, end: 0, confidence: 1) }
            return SpeechSegment(start: Double(place), end: Double(place + 1), words: words, id: place + 1)
        }
        let machine = MachinePart(raw: heard.joined(separator: "\n"), clean: clean, recognition: 2)
        return Transcript(
            entry: Entry(facts: Stub.recording.facts, personal: PersonalPart(), machine: machine, version: 2),
            segments: corrections.applied(to: segments), corrections: corrections)
    }

    private static func correct(_ transcript: Transcript, _ texts: [Int: String]) -> Transcript {
        var corrections = transcript.corrections
        corrections.texts = texts
        return transcript.corrected(by: corrections)
    }

    @Test("corrections that are taken back leave the cleaned text, also where the corrected words were shown instead")
    func takenBack() {
        let heard = (0..<80).map { "heard\($0)" }.joined(separator: " ")
        let clean = (0..<80).map { "other\($0)" }.joined(separator: " ")
        let corrected = Self.correct(Self.transcript([heard, "and home"], clean: clean), [1: "quite other words"])
        #expect(corrected.entry.text == "quite other words\nand home")

        let back = Self.correct(corrected, [:])

        #expect(back.entry.personal.corrected == nil && back.entry.text == clean)
    }

    @Test("corrections that a cleaned text was made with stay in it when later ones are taken back, and can be taken back, too")
    func cleanedWithCorrections() {
        let rowed = [1: "we rowed out"]
        let read = Self.transcript(
            ["we swam out", "and then home"], clean: "We rowed out. And then home.", SegmentCorrections(texts: rowed))

        let later = Self.correct(read, [1: "we rowed out", 2: "and then slowly home"])
        #expect(later.entry.text == "We rowed out. And then slowly home.")
        let back = Self.correct(later, rowed)
        #expect(back.entry.personal.corrected == nil)
        #expect(Self.correct(back, [:]).entry.text == "We swam out. And then home.")
    }

    @Test("what a cleaned text was made from is stored with the corrections")
    func stored() async throws {
        var ports = try FeaturePorts.stub()
        let vault = try await ports.memberKeys.vault(of: TestTokens.member)
        let id = Stub.recording.facts.id
        let read = Self.transcript(["we swam", "and then"], clean: "We swam and then.")
        let personal = SealedColumn(bytes: try vault.seal(PersonalPart(), as: .personal, row: id.uuid, version: 1), version: 1)
        let machine = SealedColumn(bytes: try vault.seal(read.entry.machine, as: .machine, row: id.uuid, version: 2), version: 2)
        let segments = SealedColumn(bytes: try vault.seal(read.segments ?? [], as: .segments, row: id.uuid, version: 2), version: 2)
        let store = OneEntryStore(StoredEntry(facts: Stub.recording.facts, personal: personal, machine: machine), segments: segments)
        ports.entries = store

        _ = try await EntryFeature(ports).correct.run(
            id, CorrectSegments.Change(segment: 1, text: .set("we rowed"), speaker: .absent), matching: .any, by: TestTokens.member)

        let written = try #require(try await store.transcript(id, timed: true, of: TestTokens.member))
        let corrections = try vault.open(corrections: written.corrections, of: segments, id)
        let basis = try #require(CorrectedText.basis(of: read.entry.machine))
        #expect(corrections.cleaned == SegmentCorrections.Cleaned(basis: basis, texts: [:]))
    }
}
