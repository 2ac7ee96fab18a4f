import DiaryTesting
import Foundation
import Testing

@testable import DiaryCore

@Suite("Corrections of segments")
struct SegmentCorrectionsTests {
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

    @Test("corrected texts are bounded together: a longer one is refused, a shorter one in place of one is not")
    func bounded() async throws {
        var ports = try FeaturePorts.stub()
        let vault = try await ports.memberKeys.vault(of: TestTokens.member)
        let id = Stub.recording.facts.id
        let heard = (1...3).map { SpeechSegment(start: Double($0), end: Double($0) + 1, words: [], id: $0, speaker: "A") }
        let personal = SealedColumn(bytes: try vault.seal(PersonalPart(), as: .personal, row: id.uuid, version: 1), version: 1)
        let machine = SealedColumn(bytes: try vault.seal(MachinePart(raw: "x"), as: .machine, row: id.uuid, version: 2), version: 2)
        let segments = SealedColumn(bytes: try vault.seal(heard, as: .segments, row: id.uuid, version: 2), version: 2)
        ports.entries = OneEntryStore(StoredEntry(facts: Stub.recording.facts, personal: personal, machine: machine), segments: segments)
        let correct = EntryFeature(ports).correct
        func set(_ segment: Int, _ length: Int) async throws -> Bool {
            let text = String(repeating: "x", count: length)
            let written = try await correct.run(
                id, CorrectSegments.Change(segment: segment, text: .set(text), speaker: .absent), matching: .any, by: TestTokens.member)
            return if case .written = written { true } else { false }
        }

        #expect(try await set(1, SegmentCorrections.longest - 10))
        #expect(try await set(2, 10))
        await #expect(throws: DiaryError.self) { _ = try await set(3, 1) }
        #expect(try await set(2, 4))
        #expect(try await set(3, 6))
    }
}
