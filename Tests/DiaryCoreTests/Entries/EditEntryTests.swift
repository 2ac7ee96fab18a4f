import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

@Suite("Changes of an entry") struct EditEntryTests {
    private let facts = Stub.recording.facts
    private let keys: DataKeys
    private let store: OneEntryStore

    init() async throws {
        let ring = try #require(Stub.keyRing)
        keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        let personal = PersonalPart(title: "Caf\u{E9}", edited: "We swam.", tags: ["lake", "sun"], mood: "calm")
        let sealed = try await keys.vault(of: TestTokens.member).seal(personal, as: .personal, row: facts.id.uuid, version: 4)
        store = OneEntryStore(StoredEntry(facts: facts, personal: SealedColumn(bytes: sealed, version: 4), machine: nil))
    }

    private func edit(_ change: (inout EntryPatch) -> Void, matching match: VersionMatch = .any) async throws -> Entry? {
        var patch = EntryPatch.unchanged
        change(&patch)
        let edit = EditEntry(entries: store, keys: keys, tenants: StubTenants([]), jobSignals: NoJobSignals())
        let outcome = try await edit.run(facts.id, patch, matching: match, by: TestTokens.member)
        return if case .written(let entry) = outcome { entry } else { nil }
    }

    @Test("what sets only what is there is answered with the entry and writes nothing", arguments: [VersionMatch.any, .exactly(4)])
    func unchanged(match: VersionMatch) async throws {
        let sealed = store.stored.personal?.bytes
        let facts = facts
        let changes: [(inout EntryPatch) -> Void] = [
            { _ in },
            { $0[.title] = .set("Caf\u{E9}") },
            { $0[.text] = .set("We swam.") },
            { $0.tags = .set(["lake", "sun"]) },
            { $0[.mood] = .set("calm") },
            { $0.facts.language = .clear },
            { $0.facts.favorite = false },
            { $0.facts.keepAudio = false },
            { $0.facts.timeZone = "UTC" },
            { $0.facts.recordedAt = facts.recordedAt + 0.000_000_2 },
        ]

        for change in changes {
            let entry = try await edit(change, matching: match)
            #expect(entry?.version == 4 && entry?.personal.tags == ["lake", "sun"])
        }

        #expect(store.stored.version == 4 && store.stored.personal?.bytes == sealed && store.revisions.isEmpty)
    }

    @Test("each member that gets another value is a change, also another order of tags and another encoding of a character")
    func changed() async throws {
        let facts = facts
        let changes: [(inout EntryPatch) -> Void] = [
            { $0[.title] = .set("Cafe\u{301}") },
            { $0[.title] = .clear },
            { $0[.text] = .set("We swam") },
            { $0.tags = .set(["sun", "lake"]) },
            { $0[.mood] = .clear },
            { $0.facts.language = .set("de") },
            { $0.facts.favorite = true },
            { $0.facts.keepAudio = true },
            { $0.facts.timeZone = "Europe/Berlin" },
            { $0.facts.recordedAt = facts.recordedAt + 0.000_001 },
        ]
        for (number, change) in changes.enumerated() { #expect(try await edit(change)?.version == Int64(5 + number)) }
    }

    @Test("a time that is sent back as answers show it, cut to a millisecond, is no change, and the stored one stays as it is")
    func shownTime() {
        let facts = EntryFacts(
            id: EntryID(UUID()), kind: .voice, status: .transcribed, processing: nil, recordedAt: Stub.now + 0.250_123, timeZone: "UTC",
            localTime: Stub.localTime, day: CalendarDay(Stub.localTime), createdAt: Stub.now, updatedAt: Stub.now,
            deletedAt: nil, durationSeconds: 2_400, sizeBytes: 10, contentType: "audio/mp4", sha256: nil, language: nil, object: UUID(),
            changeNumber: 1)
        func changes(_ time: Date) -> Bool {
            let patch = FactsPatch(recordedAt: time)
            #expect(patch.changes(facts) == (patch.time(changing: facts) == time))
            return patch.changes(facts)
        }

        #expect(!changes(Stub.now + 0.25) && !changes(Stub.now + 0.250_123))
        #expect(changes(Stub.now + 0.251) && changes(Stub.now + 0.250_1) && changes(Stub.now + 0.249))
    }

    @Test("a typed text that becomes another one is described anew where the app wants that, and only then", arguments: [true, false])
    func typed(describes: Bool) async throws {
        var tenant = Stub.tenant("my-day")
        if describes { try tenant.configuration.set("cleanup.extras", to: "summary") }
        let facts = EntryFacts(
            id: EntryID(UUID()), kind: .text, status: .transcribed, processing: nil, recordedAt: Stub.now, timeZone: "UTC",
            localTime: Stub.localTime, day: CalendarDay(Stub.localTime), createdAt: Stub.now, updatedAt: Stub.now, deletedAt: nil,
            durationSeconds: nil, sizeBytes: nil, contentType: nil, sha256: nil, language: nil, object: nil, changeNumber: 1)
        let sealed = try await keys.vault(of: TestTokens.member)
            .seal(PersonalPart(edited: "We swam."), as: .personal, row: facts.id.uuid, version: 4)
        let store = OneEntryStore(StoredEntry(facts: facts, personal: SealedColumn(bytes: sealed, version: 4), machine: nil))
        let signals = SignalLog()
        let edit = EditEntry(entries: store, keys: keys, tenants: StubTenants([tenant]), jobSignals: signals)
        var patch = EntryPatch.unchanged

        patch[.title] = .set("Lake")
        _ = try await edit.run(facts.id, patch, matching: .any, by: TestTokens.member)
        #expect(store.redescriptions.isEmpty && signals.kinds.isEmpty)
        patch[.text] = .set("It was cold.")
        _ = try await edit.run(facts.id, patch, matching: .any, by: TestTokens.member)

        #expect(store.redescriptions.map { $0.job != nil } == [describes])
        #expect(signals.kinds == (describes ? [.clean] : []))
    }

    @Test("another version than the one that is named is a conflict, also where nothing would change")
    func otherVersion() async throws {
        #expect(try await edit({ _ in }, matching: .exactly(3)) == nil)
        #expect(store.stored.version == 4)
    }
}
