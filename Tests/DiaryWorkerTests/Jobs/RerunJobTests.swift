import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryWorker

@Suite("Runs of finished entries", .timeLimit(.minutes(1)))
struct RerunJobTests {
    private let person: Person
    private let store = ScriptedJobStore()
    private let objects: MemoryObjects
    private let object = UUID()

    init() async throws {
        person = try await Person()
        objects = MemoryObjects(sealedBy: person.vault.key)
        objects[person.key(.audio, object)] = SecureRandom.bytes(1_000)
    }

    private static let old = MachinePart(
        raw: "hollow see", clean: "Hollow see.", speechEngine: EngineReference(name: "old", model: "tiny"),
        textEngine: EngineReference(name: "rules"))

    /// A finished entry whose segments are of content version 1, as a run finds it.
    private func entry(_ run: EntryRun, machine: MachinePart = old) throws -> EntryFacts {
        let facts = EntryFacts.make(status: .transcribing, size: 1_000, object: object)
        store.put(try person.vault.entry(facts, PersonalPart(), machine), run: run)
        let heard = [segment("hollow see", from: 0, 1), segment("by night", from: 1, 2)].numbered
        store.put(
            segments: SealedColumn(bytes: try person.vault.seal(heard, as: .segments, row: facts.id.uuid, version: 1), version: 1),
            of: facts.id)
        return facts
    }

    private func segment(_ text: String, from start: Double, _ end: Double) -> SpeechSegment {
        SpeechSegment(
            start: start, end: end,
            words: text.split(separator: " ").map { TimedWord(text: String($0), start: start, end: end, confidence: 0.5) })
    }

    private func corrections(
        _ texts: [Int: String], speakers: [Int: String] = [:], version: Int64, of id: EntryID, segments: Int64 = 1
    ) throws -> StoredCorrections {
        let sealed = try person.vault.seal(
            SegmentCorrections(texts: texts, segmentSpeakers: speakers), as: .corrections, row: id.uuid, version: version)
        return StoredCorrections(sealed: SealedColumn(bytes: sealed, version: version), segmentsVersion: segments)
    }

    private func transcribe(
        _ facts: EntryFacts, _ engines: FixedEngines = .one(speech: FixedRecognizer())
    ) async throws {
        let scratch = try Scratch()
        _ = try await TranscribeRecording(
            store: store, objects: objects.store, keys: person.keys, engines: engines, gates: [], folders: scratch.folders
        ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))
    }

    private func clean(_ facts: EntryFacts, errors: Int = 0, _ cleaner: FixedCleaner) async throws {
        _ = try await CleanTranscript(
            store: store, keys: person.keys, engines: FixedEngines.one(text: cleaner), gates: [], tenants: StubTenants([]), limits: Limits()
        ).run(.make(.clean, owner: person.owner, subject: facts.id.uuid, errors: errors))
    }

    /// What was kept, opened.
    private func kept(of id: EntryID) throws -> [TextLayer: RevisionPart] {
        var parts: [TextLayer: RevisionPart] = [:]
        for revision in try #require(store.replaced).revisions {
            let stored = StoredRevision(sealed: SealedColumn(bytes: revision.sealed, version: revision.number), createdAt: .now)
            let content: RevisionPart = try #require(person.vault.open(stored, revision.layer, of: id).content)
            parts[revision.layer] = content
        }
        return parts
    }

    @Test("a later recognition keeps the raw and the cleaned text with their engines, and what the owner had corrected")
    func recognised() async throws {
        let facts = try entry(EntryRun(rerunFrom: .transcribe))
        store.put(corrections: try corrections([1: "hello sea"], version: 5, of: facts.id), of: facts.id)

        try await transcribe(facts)

        let kept = try kept(of: facts.id)
        #expect(kept[.raw] == RevisionPart(text: "hollow see", engine: EngineReference(name: "old", model: "tiny")))
        #expect(kept[.clean] == RevisionPart(text: "Hollow see.", engine: EngineReference(name: "rules")))
        #expect(
            kept[.corrected]
                == RevisionPart(
                    text: "hello sea\nby night", engine: EngineReference(name: "old", model: "tiny"),
                    corrections: [.init(segment: 1, start: 0, end: 1, text: "hello sea")]))
        #expect(store.replaced?.revisions.map(\.number) == [1, 1, 5] && store.replaced?.corrections == 5)
    }

    @Test("a correction of who speaks is kept like one of words")
    func recognisedSpeakers() async throws {
        let facts = try entry(EntryRun(rerunFrom: .transcribe))
        store.put(corrections: try corrections([:], speakers: [2: "B"], version: 5, of: facts.id), of: facts.id)

        try await transcribe(facts)

        let part = try #require(try kept(of: facts.id)[.corrected])
        #expect(part.text == "hollow see\nby night")
        #expect(part.corrections == [.init(segment: 2, start: 1, end: 2, text: "by night", speaker: "B")])
    }

    @Test("the same words again, and a first result, keep nothing; what was made of the same words stays until it is made anew")
    func unchanged() async throws {
        let facts = try entry(EntryRun(rerunFrom: .transcribe), machine: MachinePart(raw: "hello sea", clean: "Hello sea."))
        try await transcribe(facts)
        #expect(store.replaced == ReplacedTexts(revisions: [], corrections: 0))
        let machine = try #require(store.machine)
        #expect(
            try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: facts.id.uuid, version: 2)
                == MachinePart(raw: "hello sea", clean: "Hello sea.", speechEngine: EngineReference(name: "fixed"), recognition: 2))

        let first = EntryFacts.make(status: .uploaded, size: 1_000, object: object)
        store.put(try person.vault.entry(first))
        try await transcribe(first)
        #expect(store.replaced == .nothing)
    }

    @Test("a correction made while the result is written is kept too, and the recording is recognised once")
    func correctedMeanwhile() async throws {
        let facts = try entry(EntryRun(rerunFrom: .transcribe))
        store.put(corrections: try corrections([1: "hello"], version: 5, of: facts.id), of: facts.id)
        store.put(laterCorrections: try corrections([1: "hello", 2: "by day"], version: 6, of: facts.id), of: facts.id)
        let recognizer = FixedRecognizer()

        try await transcribe(facts, .one(speech: recognizer))

        #expect(try kept(of: facts.id)[.corrected]?.text == "hello\nby day")
        #expect(store.replaced?.corrections == 6)
        #expect(recognizer.asked.now.count == 1)
    }

    @Test("words of a client that the owner has corrected stay, also when the correction comes while the recording is heard")
    func clientWords() async throws {
        let words = MachinePart(raw: "hollow see", speechEngine: EngineReference(name: EngineReference.client))
        let corrected = try entry(EntryRun(rerunFrom: .verify), machine: words)
        store.put(corrections: try corrections([1: "hello sea"], version: 5, of: corrected.id), of: corrected.id)
        let recognizer = FixedRecognizer()

        try await transcribe(corrected, .one(speech: recognizer))

        #expect(store.heard == nil && recognizer.asked.now.isEmpty)
        let machine = try #require(store.machine)
        #expect(try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: corrected.id.uuid, version: 2) == words)

        let meanwhile = try entry(EntryRun(rerunFrom: .verify), machine: words)
        store.put(laterCorrections: try corrections([1: "hello"], version: 6, of: meanwhile.id), of: meanwhile.id)
        try await transcribe(meanwhile, .one(speech: recognizer))
        #expect(store.heard == nil && recognizer.asked.now.count == 1)

        try await transcribe(try entry(EntryRun(rerunFrom: .verify), machine: words))
        #expect(store.heard != nil, "nobody has corrected them")
    }

    @Test("corrections of other segments are not those of these")
    func stale() async throws {
        let facts = try entry(EntryRun(rerunFrom: .transcribe))
        store.put(corrections: try corrections([1: "hello"], version: 5, of: facts.id, segments: 9), of: facts.id)

        try await transcribe(facts)

        #expect(try kept(of: facts.id)[.corrected] == nil && store.replaced?.corrections == 5)
    }

    @Test("the engine and the language that were asked for are the only ones; one that the chain has no longer ends the run")
    func asked() async throws {
        let (first, second) = (FixedRecognizer(), FixedRecognizer())
        let chain = FixedEngines(
            speech: [
                ConfiguredEngine<any SpeechEngine>(EngineSettings(name: "first", stage: .speech, kind: .local), first),
                ConfiguredEngine<any SpeechEngine>(EngineSettings(name: "second", stage: .speech, kind: .local), second),
            ], text: [])

        try await transcribe(try entry(EntryRun(rerunFrom: .transcribe, engine: "second", language: "de")), chain)

        #expect(first.asked.now.isEmpty && second.asked.now == ["de"])
        let gone = try entry(EntryRun(rerunFrom: .transcribe, engine: "third"))
        let stop = await #expect(throws: JobStop.self) { try await transcribe(gone, chain) }
        #expect(stop?.outcome == .discard(.speechUnavailable))
    }

    @Test("`und`, said by the engine or asked for, names no language: it is not stored, and the recognition finds the language out")
    func languageUnknown() async throws {
        let silent = FixedRecognizer(transcript: RawTranscript(language: "und", segments: FixedRecognizer().transcript.segments))
        let recognizer = FixedRecognizer()

        try await transcribe(try entry(EntryRun(rerunFrom: .transcribe, language: "und")), .one(speech: silent))
        let first = try #require(store.heard)
        try await transcribe(try entry(EntryRun(rerunFrom: .transcribe, language: "und")), .one(speech: recognizer))

        #expect(first.language == nil && silent.asked.now == [nil])
        #expect(recognizer.asked.now == [nil] && store.heard?.language == "en")
    }

    @Test("a later cleaning reads the corrections, and the text that it replaces is kept")
    func cleaned() async throws {
        let facts = try entry(EntryRun(rerunFrom: .clean))
        store.put(corrections: try corrections([2: "by the light of day"], version: 5, of: facts.id), of: facts.id)

        try await clean(facts, FixedCleaner { raw throws(ProviderFailure) in raw.text + "." })

        let machine = try #require(store.machine)
        let part = try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: facts.id.uuid, version: 2)
        #expect(part.clean == "hollow see\nby the light of day." && part.raw == "hollow see")
        #expect(try kept(of: facts.id) == [.clean: RevisionPart(text: "Hollow see.", engine: EngineReference(name: "rules"))])
    }

    @Test("the first cleaning reads the corrections that were made while it waited, but not those of other segments")
    func cleanedFirst() async throws {
        for (segments, read) in [(1, "by the light of day"), (9, "by night")] as [(Int64, String)] {
            let facts = try entry(EntryRun(), machine: MachinePart(raw: "hollow see\nby night"))
            store.put(corrections: try corrections([2: "by the light of day"], version: 5, of: facts.id, segments: segments), of: facts.id)

            try await clean(facts, FixedCleaner { raw throws(ProviderFailure) in raw.text + "." })

            let machine = try #require(store.machine)
            let part = try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: facts.id.uuid, version: 2)
            #expect(part.clean == "hollow see\n\(read)." && part.raw == "hollow see\nby night")
        }
    }

    @Test("a correction made while a text is cleaned is in the text, and the engine is asked once")
    func correctedWhileCleaned() async throws {
        let facts = try entry(EntryRun(), machine: MachinePart(raw: "hollow see\nby night"))
        let later = try corrections([2: "by day"], version: 5, of: facts.id)
        let asked = Shared(0)

        try await clean(
            facts,
            FixedCleaner { [store] raw throws(ProviderFailure) in
                store.put(corrections: later, of: facts.id)
                asked.change { $0 += 1 }
                return "Hollow see. By night."
            })

        let machine = try #require(store.machine)
        let part = try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: facts.id.uuid, version: 2)
        #expect(part.clean == "Hollow see. By day." && asked.now == 1)
        #expect(store.replaced?.corrections == 5)
    }

    @Test("a cleaning that was asked for and is refused, or fails for good, leaves the text of before and says why")
    func cleaningFails() async throws {
        let facts = try entry(EntryRun(rerunFrom: .clean))
        for (errors, failure) in [(0, ProviderFailure.Treatment.permanent), (7, .retry)] {
            let stop = await #expect(throws: JobStop.self) {
                try await clean(
                    facts, errors: errors,
                    FixedCleaner { _ throws(ProviderFailure) in throw ProviderFailure(failure, code: .cleanupUnavailable, cause: "400") })
            }
            #expect(stop?.outcome == (failure == .permanent ? .discard(.cleanupUnavailable) : .retry(.cleanupUnavailable, after: nil)))
        }
        await #expect(throws: JobStop.discard(.cleanupRejected)) {
            try await clean(facts, FixedCleaner { raw throws(ProviderFailure) in raw.text + " and then Peter paid 500 euros to the bank" })
        }
        #expect(store.machine == nil && store.written.isEmpty)
    }
}
