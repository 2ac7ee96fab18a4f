import DiaryCrypto
import DiaryTesting
import Foundation
import Testing

@testable import DiaryCore

@Suite("Speaker profiles")
struct SpeakerProfileTests {
    private func profile(_ id: UUID, _ name: String?, deleted: Bool = false) -> SpeakerProfile {
        SpeakerProfile(
            id: SpeakerID(id), name: name, version: 1, createdAt: Stub.now, updatedAt: Stub.now, deletedAt: deleted ? Stub.now : nil,
            changeNumber: 1)
    }

    @Test("a recording shows the present name of a profile, the last one of a deleted profile, and its own where there is none")
    func resolved() {
        let (present, deleted, gone, damaged) = (UUID(), UUID(), UUID(), UUID())
        let written = SegmentCorrections(
            speakers: ["A": "Ana", "B": "Ben", "C": "Cem", "D": "Dora", "E": "Eva"],
            profiles: ["A": present, "B": deleted, "C": gone, "D": damaged])

        let read = written.resolved(by: [profile(present, "Anna"), profile(deleted, "Benno", deleted: true), profile(damaged, nil)])

        #expect(read.speakers == ["A": "Anna", "B": "Benno", "C": "Cem", "D": "Dora", "E": "Eva"])
        #expect(read.profiles == ["A": present, "D": damaged])
    }

    @Test(
        "a page of the feed ends where the first of its two lists does",
        arguments: [
            ([2, 5, 9], true, [1, 3, 6, 20], 6), ([2, 5], true, [1, 30], 5), ([2], false, [1, 2, 3, 4], 3), ([2], false, [40], nil),
            ([], false, [], nil),
        ] as [([Int64], Bool, [Int64], Int64?)])
    func feed(entries: [Int64], more: Bool, profiles: [Int64], end: Int64?) {
        let page = EntryPage(
            entries.map { number in
                let facts = EntryFacts(
                    id: EntryID(UUID()), kind: .text, status: .transcribed, processing: nil, recordedAt: Stub.now, timeZone: "UTC",
                    localTime: Stub.localTime, day: CalendarDay(Stub.localTime), createdAt: Stub.now, updatedAt: Stub.now, deletedAt: nil,
                    durationSeconds: nil, sizeBytes: nil, contentType: nil, sha256: nil, language: nil, object: nil, changeNumber: number)
                return StoredEntry(facts: facts, personal: nil, machine: nil)
            }, more: more)
        let found = profiles.map { number in
            StoredSpeakerProfile(
                id: SpeakerID(UUID()), sealed: SealedColumn(bytes: [1], version: 1), createdAt: Stub.now, updatedAt: Stub.now,
                deletedAt: nil, changeNumber: number)
        }

        #expect(ReadEntries.end(of: page, found, limit: 3) == end)
    }

    @Test("a name is sealed for its profile and version alone")
    func sealed() async throws {
        let vault = try await FeaturePorts.stub().memberKeys.vault(of: TestTokens.member)
        let id = SpeakerID(UUID())
        var stored = StoredSpeakerProfile(
            id: id, sealed: try vault.seal(speaker: "Anna Müller", id, version: 3), createdAt: Stub.now, updatedAt: Stub.now,
            deletedAt: nil,
            changeNumber: 1)

        #expect(vault.open(stored).name == "Anna Müller")
        stored.sealed.version = 4
        #expect(vault.open(stored).name == nil)
        stored.sealed.version = 3
        stored.id = SpeakerID(UUID())
        #expect(vault.open(stored).name == nil)
    }
}
