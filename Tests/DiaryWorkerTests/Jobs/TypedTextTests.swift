import DiaryCore
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("Texts that were typed", .timeLimit(.minutes(1)))
struct TypedTextTests {
    private static let text = "We swam in the lake with Anna.\n\nIt was cold, and we drove home at 3:30."
    private let person: Person
    private let store = ScriptedJobStore()

    init() async throws { person = try await Person() }

    /// Describes the text in an app that wants the extras, and returns the machine's part as it is stored.
    private func described(
        _ engine: AskedEngine, extras: String? = "title,summary,key_points,suggestions", machine: MachinePart? = nil,
        gates: [any EngineGate] = [], meanwhile: (text: String, version: Int64)? = nil
    ) async throws -> MachinePart {
        let facts = EntryFacts.make(.text, status: .cleaning, seconds: nil)
        var personal = PersonalPart()
        personal.edited = Self.text
        store.put(try person.vault.entry(facts, personal, machine), run: EntryRun(rerunFrom: .clean))
        if let meanwhile {
            personal.edited = meanwhile.text
            var changed = try person.vault.entry(facts, personal, machine)
            let sealed = try person.vault.seal(personal, as: .personal, row: facts.id.uuid, version: meanwhile.version)
            changed.personal = SealedColumn(bytes: sealed, version: meanwhile.version)
            engine.whileAsked.set { [store, changed] in store.put(changed, run: EntryRun(rerunFrom: .clean)) }
        }
        var tenant = Stub.tenant("my-day")
        tenant.id = person.owner.tenant
        if let extras { try tenant.configuration.set("cleanup.extras", to: extras) }
        let next = try await CleanTranscript(
            store: store, keys: person.keys, engines: FixedEngines.one(text: engine), gates: gates, tenants: StubTenants([tenant]),
            limits: Limits()
        ).run(.make(.clean, owner: person.owner, subject: facts.id.uuid))
        #expect(next == nil && store.replaced?.revisions == [] && store.replaced?.corrections == nil && store.replaced?.personal != nil)
        let written = try #require(store.machine)
        return try person.vault.open(MachinePart.self, written.sealed, as: .machine, row: facts.id.uuid, version: written.version)
    }

    @Test("a typed text is described and never rewritten")
    func describes() async throws {
        let engine = AskedEngine(
            answer: TextAnswer(
                clean: "Something else.", title: "Cold lake", summary: "We swam in the lake with Anna.", keyPoints: ["It was cold."],
                tags: ["lake"], mood: "calm"))
        let machine = try await described(engine)

        var expected = MachinePart(textEngine: EngineReference(name: "fixed"))
        expected.suggested = Suggestions(title: "Cold lake", tags: ["lake"], mood: "calm")
        (expected.summary, expected.keyPoints) = ("We swam in the lake with Anna.", ["It was cold."])
        #expect(machine == expected)
        let asked = try #require(engine.asked.now)
        #expect(asked.request.onlyDescribes && asked.words == "We swam in the lake with Anna.\nIt was cold, and we drove home at 3:30.")
    }

    @Test("what the text does not say is dropped, and a later description takes the place of an earlier one")
    func guarded() async throws {
        var before = MachinePart(cleanup: .failed(.cleanupUnavailable))
        (before.summary, before.suggested) = ("We swam.", Suggestions(tags: ["old"]))
        let machine = try await described(
            AskedEngine(answer: TextAnswer(clean: "", summary: "We swam with Bob.", tags: ["lake"])), machine: before)

        #expect(machine.summary == nil && machine.suggested == Suggestions(tags: ["lake"]) && machine.cleanup == nil)
    }

    @Test("a text that is edited while it is described gets no description of the old one; another change of the entry is no reason")
    func editedMeanwhile() async throws {
        let engine = AskedEngine(answer: TextAnswer(clean: "", summary: "We swam in the lake with Anna."))

        let stop = await #expect(throws: JobStop.self) { try await described(engine, meanwhile: ("It was cold.", 2)) }
        guard case .wait = stop?.outcome else {
            Issue.record("\(String(describing: stop))")
            return
        }
        #expect(store.machine == nil)

        #expect(try await described(engine, meanwhile: (Self.text, 2)).summary == "We swam in the lake with Anna.")
        #expect(store.replaced?.personal == 2)
    }

    @Test("an app that wants nothing asks no engine")
    func unwanted() async throws {
        let engine = AskedEngine(answer: TextAnswer(clean: "", summary: "We swam in the lake."))

        #expect(try await described(engine, extras: nil) == MachinePart())
        #expect(engine.asked.now == nil)
    }

    @Test("without consent the text waits for it; a failure of the engine stands in cleanup, and the earlier description stays")
    func failing() async throws {
        var before = MachinePart()
        before.summary = "We swam."
        let engine = AskedEngine(answer: TextAnswer(clean: ""))
        let gate = ClosedGate(failure: ProviderFailure(.permanent, code: .consentRequired, cause: "no consent"))
        let unconsented = try await described(engine, machine: before, gates: [gate])
        #expect(unconsented.summary == "We swam." && unconsented.cleanup == .failed(.consentRequired))
        #expect(store.waiting == .consentRequired && engine.asked.now == nil)

        let down = ClosedGate(failure: ProviderFailure(.permanent, code: .cleanupUnavailable, cause: "off"))
        #expect(try await described(engine, machine: before, gates: [down]).cleanup == .failed(.cleanupUnavailable))
        #expect(store.waiting == nil)
    }
}

/// Answers what it is given, and keeps what it was asked last.
private struct AskedEngine: TextEngine {
    let answer: TextAnswer
    let asked = Shared<(words: String, request: TextRequest)?>(nil)
    let whileAsked = Shared<@Sendable () -> Void>({})

    func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer {
        asked.set((words: raw.text, request: request))
        whileAsked.now()
        return answer
    }
}

private struct ClosedGate: EngineGate {
    let failure: ProviderFailure

    func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) { throw failure }
    func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {}
}
