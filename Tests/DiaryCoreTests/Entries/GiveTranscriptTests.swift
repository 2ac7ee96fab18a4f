import DiaryTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryCore

@Suite("Words of clients that come later")
struct GiveTranscriptTests {
    /// Gives "we swam" to an entry with these words, in a store that takes none.
    /// - Returns: the error, and how often the limits were charged.
    private func give(
        over raw: String?, engine: String = EngineReference.client, _ status: EntryStatus = .transcribed, recognise: Recognition = .never
    ) async throws -> (ErrorCode?, Int) {
        let ports = try FeaturePorts.stub()
        let vault = try await ports.memberKeys.vault(of: TestTokens.member)
        let facts = EntryFacts(
            id: EntryID(UUID()), kind: .voice, status: status, processing: nil, recordedAt: Stub.now, timeZone: "UTC",
            localTime: Stub.localTime, day: CalendarDay(Stub.localTime), createdAt: Stub.now, updatedAt: Stub.now, deletedAt: nil,
            durationSeconds: nil, sizeBytes: 10, contentType: "audio/mp4", sha256: nil, language: nil, object: UUID(), changeNumber: 1)
        let row = facts.id.uuid
        var machine: SealedColumn?
        if let raw {
            let part = MachinePart(raw: raw, speechEngine: EngineReference(name: engine, model: nil))
            machine = SealedColumn(bytes: try vault.seal(part, as: .machine, row: row, version: 1), version: 1)
        }
        let personal = SealedColumn(bytes: try vault.seal(PersonalPart(), as: .personal, row: row, version: 1), version: 1)
        let giving = GiveTranscript(
            entries: OneEntryStore(StoredEntry(facts: facts, personal: personal, machine: machine)), keys: ports.memberKeys,
            jobSignals: NoJobSignals())
        let charges = Counter()
        do throws(DiaryError) {
            _ = try await giving.run(
                facts.id, ClientTranscript(text: "we swam"), recognise: recognise, by: TestTokens.member
            ) { () async throws(DiaryError) in charges.add() }
            return (nil, charges.count)
        } catch { return (error.code, charges.count) }
    }

    @Test("words with which work begins count as a new entry where they replace others of a client")
    func charged() async throws {
        #expect(try await give(over: "we ran") == (.notFound, 1))
        #expect(try await give(over: "we ran", .transcribing, recognise: .always) == (.notFound, 1))
        #expect(try await give(over: "we ran", .awaitingUpload) == (.notFound, 0))
        #expect(try await give(over: nil) == (.notFound, 0))
        #expect(try await give(over: "we ran", engine: "local") == (.notFound, 0))
        #expect(try await give(over: "we ran", engine: "local", recognise: .always) == (nil, 0))
        #expect(try await give(over: "we swam") == (nil, 0))
    }
}
