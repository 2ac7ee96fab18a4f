import DiaryTesting
import Foundation
import Testing

@testable import DiaryCore

@Suite("Notes of an entry")
struct WriteNotesTests {
    @Test("a repeated note is there once, and the same id with another text or place is refused, so that nothing is lost")
    func repeated() async throws {
        var ports = try FeaturePorts.stub()
        let vault = try await ports.memberKeys.vault(of: TestTokens.member)
        let facts = Stub.recording.facts
        let sealed = try vault.seal(PersonalPart(), as: .personal, row: facts.id.uuid, version: 1)
        let store = OneEntryStore(StoredEntry(facts: facts, personal: SealedColumn(bytes: sealed, version: 1), machine: nil))
        ports.entries = store
        let notes = EntryFeature(ports).notes
        let note = NoteID(UUID())
        func add(_ text: String, at seconds: Double?) async throws -> [String] {
            let draft = WriteNotes.Draft(id: note, text: text, at: seconds, createdAt: nil)
            let outcome = try await notes.add(draft, to: facts.id, matching: .any, by: TestTokens.member)
            return if case .written(let entry) = outcome { entry.personal.notes.map(\.text) } else { [] }
        }

        #expect(try await add("once", at: 1.000_4) == ["once"])
        #expect(try await add("once", at: 1) == ["once"])
        for (text, seconds) in [("changed offline", 1), ("once", 2), ("once", nil)] as [(String, Double?)] {
            let refused = await #expect(throws: DiaryError.self) { _ = try await add(text, at: seconds) }
            #expect(refused?.code == .noteIDTaken)
        }
        #expect(store.stored.version == 2)

        _ = try await notes.delete(note, of: facts.id, matching: .any, by: TestTokens.member)
        #expect(try await add("changed offline", at: nil) == [])
    }
}
