import DiaryCrypto
import DiaryTesting
import Testing

@testable import DiaryCore

@Suite("Answers to suggestions") struct AnswerSuggestionsTests {
    private let id = Stub.recording.facts.id
    private let keys: DataKeys
    private let vault: Vault

    init() async throws {
        let ring = try #require(Stub.keyRing)
        keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        vault = try await keys.vault(of: TestTokens.member)
    }

    private func store(_ personal: PersonalPart, _ suggested: Suggestions, damaged: Bool = false) throws -> OneEntryStore {
        var machine = MachinePart(raw: "um we swam")
        machine.suggested = suggested
        var sealed = try vault.seal(machine, as: .machine, row: id.uuid, version: 2)
        if damaged, let last = sealed.popLast() { sealed.append(last ^ 1) }
        return OneEntryStore(
            StoredEntry(
                facts: Stub.recording.facts,
                personal: SealedColumn(bytes: try vault.seal(personal, as: .personal, row: id.uuid, version: 4), version: 4),
                machine: SealedColumn(bytes: sealed, version: 2)))
    }

    @discardableResult
    private func answer(
        _ store: OneEntryStore, accept: Suggestions = Suggestions(), decline: Suggestions = Suggestions(),
        matching match: VersionMatch = .any
    ) async throws -> Entry {
        let use = AnswerSuggestions(entries: store, keys: keys)
        switch try await use.run(id, accept: accept, decline: decline, matching: match, by: TestTokens.member) {
        case .written(let entry): return entry
        case .conflict(let entry):
            Issue.record("a conflict")
            return entry
        }
    }

    private func refused(
        _ store: OneEntryStore, accept: Suggestions = Suggestions(), decline: Suggestions = Suggestions()
    ) async -> [String]? {
        let error = await #expect(throws: DiaryError.self) { try await answer(store, accept: accept, decline: decline) }
        #expect(store.stored.version == 4)
        return error?.fields.map(\.pointer)
    }

    private let suggested = Suggestions(title: "Cold lake", tags: ["lake", "Swimming"], mood: "calm")

    @Test("accepted ones become the entry's own in the machine's spelling, and answered ones are shown no more")
    func accepted() async throws {
        let store = try store(PersonalPart(title: "Mine", tags: ["water", "LAKE"]), suggested)

        let before = try vault.open(store.stored)
        let entry = try await answer(
            store, accept: Suggestions(title: "cold lake", tags: ["lake", "swimming "]), decline: Suggestions(mood: "Calm"))

        // A tag that the entry has is not suggested.
        #expect(before.suggestions == Suggestions(title: "Cold lake", tags: ["Swimming"], mood: "calm"))
        #expect(entry.personal.title == "Cold lake" && entry.personal.tags == ["water", "LAKE", "Swimming"] && entry.personal.mood == nil)
        #expect(entry.suggestions == Suggestions() && entry.version == 5)
    }

    @Test("what is not answered leaves the owner's words as they are, and is suggested still")
    func others() async throws {
        let store = try store(PersonalPart(title: "Mine", edited: "My words", mood: "tired"), suggested)
        let entry = try await answer(store, accept: Suggestions(tags: ["lake"]))
        #expect(entry.personal.title == "Mine" && entry.personal.edited == "My words" && entry.personal.mood == "tired")
        #expect(entry.suggestions == Suggestions(title: "Cold lake", tags: ["Swimming"], mood: "calm"))
    }

    @Test("a repetition writes nothing, also after a run that suggests something else")
    func repeated() async throws {
        let store = try store(PersonalPart(), suggested)
        let (accept, decline) = (Suggestions(tags: ["lake"]), Suggestions(title: "Cold lake"))
        try await answer(store, accept: accept, decline: decline)
        #expect(try await answer(store, accept: accept, decline: decline).version == 5)

        let personal = try vault.open(store.stored).personal
        let later = try self.store(personal, Suggestions(title: "Before breakfast", tags: ["Lake", "cold"]))
        #expect(try vault.open(later.stored).suggestions == Suggestions(title: "Before breakfast", tags: ["cold"]))
        #expect(try await answer(later, accept: accept, decline: decline).version == 4)
    }

    private func edit(_ store: OneEntryStore) async throws {
        var patch = EntryPatch.unchanged
        patch[.title] = .set("Mine")
        patch.tags = .set(["water"])
        patch[.mood] = .clear
        _ = try await EditEntry(entries: store, keys: keys, tenants: StubTenants([]), jobSignals: NoJobSignals()).run(
            id, patch, matching: .any, by: TestTokens.member)
    }

    @Test("a repeated acceptance leaves what was edited since; after the other answer it is a new one")
    func repeatedAfterEdit() async throws {
        let store = try store(PersonalPart(), suggested)
        try await answer(store, accept: suggested)
        try await edit(store)

        let again = try await answer(store, accept: suggested)
        #expect(again.version == 6 && again.personal.title == "Mine" && again.personal.tags == ["water"] && again.personal.mood == nil)

        try await answer(store, decline: Suggestions(mood: "calm"))
        let accepted = try await answer(store, accept: suggested).personal
        #expect(accepted.title == "Mine" && accepted.tags == ["water"] && accepted.mood == "calm")
    }

    @Test("an answer that is stored without its way, by an earlier version, is applied once more and known then")
    func wayUnknown() async throws {
        var personal = PersonalPart()
        personal.answered = [AnsweredSuggestion(.title, "Cold lake")]
        let store = try store(personal, suggested)
        let accept = Suggestions(title: "Cold lake")
        #expect(try await answer(store, accept: accept).personal.title == "Cold lake")
        try await edit(store)
        #expect(try await answer(store, accept: accept).personal.title == "Mine")
    }

    @Test("only what is suggested can be answered, in one way, and an entry has no more than its number of tags")
    func refusals() async throws {
        let store = try store(PersonalPart(tags: (1...19).map { "t\($0)" }), suggested)
        #expect(await refused(store, accept: Suggestions(title: "Other")) == ["/accept/title"])
        #expect(await refused(store, decline: Suggestions(tags: ["lake", "work"])) == ["/decline/tags/1"])
        #expect(await refused(store, accept: Suggestions(mood: "sad")) == ["/accept/mood"])
        #expect(await refused(store, accept: Suggestions(tags: ["lake"]), decline: Suggestions(tags: ["LAKE"])) == ["/decline/tags/0"])
        #expect(await refused(store, accept: Suggestions(tags: ["lake", "Swimming"])) == ["/accept/tags"])
        #expect(await refused(try self.store(PersonalPart(), Suggestions()), accept: suggested) == ["/accept/title"])
        #expect(try await answer(store, accept: Suggestions(tags: ["lake"])).personal.tags.count == 20)
    }

    @Test("another version than the one that is named is not changed, and neither is a damaged entry")
    func conditions() async throws {
        let store = try store(PersonalPart(), suggested)
        let use = AnswerSuggestions(entries: store, keys: keys)
        guard
            case .conflict(let current) = try await use.run(
                id, accept: suggested, decline: Suggestions(), matching: .exactly(3), by: TestTokens.member)
        else {
            Issue.record("written")
            return
        }
        #expect(current.version == 4 && current.personal.tags == [])
        #expect(try await answer(store, accept: suggested, matching: .exactly(4)).version == 5)

        let damaged = try self.store(PersonalPart(), suggested, damaged: true)
        let error = await #expect(throws: DiaryError.self) { try await answer(damaged, accept: suggested) }
        #expect(error?.code == .entryDamaged)
    }

    @Test("the memory of answers is bounded, and the oldest is forgotten first")
    func bounded() async throws {
        var personal = PersonalPart()
        personal.answered = (0..<AnsweredSuggestion.most).map { AnsweredSuggestion(.tag, "old \($0)") }
        personal.accepted = personal.answered
        let entry = try await answer(try store(personal, suggested), decline: Suggestions(mood: "calm"))
        #expect(entry.personal.answered.count == AnsweredSuggestion.most)
        #expect(entry.personal.answered.first?.text == "tag:old 1" && entry.personal.answered.last?.text == "mood:calm")
        #expect(entry.personal.accepted == Array(entry.personal.answered.dropLast()))
    }

    @Test("suggestions, summary, key points and answers are read from the sealed parts as they were written")
    func sealed() {
        var machine = MachinePart(raw: "a", cleanup: .failed(.textTooLong))
        machine.suggested = suggested
        machine.summary = "One.\nTwo."
        machine.keyPoints = ["One.", "Two."]
        #expect(MachinePart(plain: machine.plainBytes.span) == machine)
        #expect(machine.cleanup?.state == .failed && machine.cleanup?.reason?.rawValue == "text_too_long")
        var personal = PersonalPart(title: "Walk", tags: ["a", "b"])
        personal.answered = [AnsweredSuggestion(.title, "Walk"), AnsweredSuggestion(.tag, "ÉTÉ")]
        personal.accepted = [AnsweredSuggestion(.tag, "ÉTÉ")]
        #expect(PersonalPart(plain: personal.plainBytes.span) == personal)
        #expect(personal.answered.map(\.text) == ["title:walk", "tag:été"])
    }
}
