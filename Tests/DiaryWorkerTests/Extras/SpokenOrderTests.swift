import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Testing

@testable import DiaryWorker

@Suite("Recordings that tell the model what to do", .timeLimit(.minutes(1))) struct SpokenOrderTests {
    /// Cleans what was said in an app that wants everything, and returns the machine's part as it is stored.
    private func stored(_ said: String, _ language: String, _ answer: TextAnswer, extras: Bool = true) async throws -> MachinePart {
        let person = try await Person()
        let store = ScriptedJobStore()
        let facts = EntryFacts.make(status: .uploaded, language: language)
        store.put(try person.vault.entry(facts, PersonalPart(), MachinePart(raw: said)))
        let words = said.split(separator: " ").map { TimedWord(text: String($0), start: 0, end: 1, confidence: 1) }
        let spoken = [SpeechSegment(start: 0, end: 1, words: words)]
        store.put(
            segments: SealedColumn(bytes: try person.vault.seal(spoken, as: .segments, row: facts.id.uuid, version: 1), version: 1),
            of: facts.id)
        var tenant = Stub.tenant("my-day")
        tenant.id = person.owner.tenant
        if extras { try tenant.configuration.set("cleanup.extras", to: "title,summary,key_points,suggestions") }
        _ = try await CleanTranscript(
            store: store, keys: person.keys, engines: FixedEngines.one(text: ObeyingEngine(answer: answer)), gates: [],
            tenants: StubTenants([tenant]), limits: Limits()
        ).run(.make(.clean, owner: person.owner, subject: facts.id.uuid))
        let machine = try #require(store.machine)
        return try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: facts.id.uuid, version: machine.version)
    }

    @Test("row 4: 50 recordings with orders are asked for")
    func count() { #expect(SpokenOrder.all.count >= 50 && Set(SpokenOrder.all.map(\.said)).count == SpokenOrder.all.count) }

    @Test("a model that obeys leaves nothing of it in what is stored", arguments: SpokenOrder.all)
    func obeyed(_ order: SpokenOrder) async throws {
        // In the text as in everything else; then in everything but the text, which is a faithful copy.
        let words = order.obeyed
        for clean in [words, order.said] {
            let answer = TextAnswer(clean: clean, title: words, summary: words, keyPoints: [words], tags: [words, "banana"], mood: words)
            let machine = try await stored(order.said, order.language, answer)

            #expect(machine.raw == order.said)
            #expect(machine.clean == (clean == words ? nil : order.said), "\(String(describing: machine.cleanup))")
            #expect(machine.suggested == Suggestions() && machine.summary == nil && machine.keyPoints == [])
        }
    }

    @Test("what an app does not want is not stored, and a refused text takes all that was made with it along")
    func extras() async throws {
        let said = "um we swam in the lake before breakfast"
        let answer = TextAnswer(
            clean: "We swam in the lake before breakfast.", title: "Lake before breakfast", summary: "We swam in the lake.",
            keyPoints: ["We swam."],
            tags: ["lake"], mood: "calm")

        let all = try await stored(said, "en", answer)
        #expect(all.clean == answer.clean && all.summary == answer.summary && all.keyPoints == answer.keyPoints)
        #expect(all.suggested == Suggestions(title: answer.title, tags: ["lake"], mood: "calm"))
        let none = try await stored(said, "en", answer, extras: false)
        #expect(none.clean == answer.clean && none.summary == nil && none.keyPoints == [] && none.suggested == Suggestions())

        var wrong = answer
        wrong.clean = "We swam in the sea before breakfast."
        let refused = try await stored(said, "en", wrong)
        #expect(refused.cleanup?.state == .rejected && refused.clean == nil)
        #expect(refused.summary == nil && refused.keyPoints == [] && refused.suggested == Suggestions())
    }
}
