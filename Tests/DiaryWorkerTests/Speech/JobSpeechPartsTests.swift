import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryWorker

@Suite("Heard parts of a job", .timeLimit(.minutes(1)))
struct JobSpeechPartsTests {
    /// Hears two parts and keeps each; those that are kept are not heard again.
    private struct PartingEngine: SpeechEngine {
        let languages = SpeechLanguages.all
        let reference = EngineReference(name: "far", model: "m")
        /// The numbers of the parts that were heard.
        let heard = Shared<[Int]>([])
        /// Fails before this one is heard.
        var failsAt: Int?
        /// After the first was kept.
        var afterFirst: @Sendable () -> Void = {}

        func secondsToHear(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> Double {
            guard let parts = request.parts?.parts else { return 10 }
            return 10 - 5 * Double(try await parts.kept(by: reference).count)
        }

        func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
            guard let parts = request.parts?.parts else { throw ProviderFailure(.permanent, code: .unexpected, cause: "no parts") }
            var all = try await parts.kept(by: reference)
            for index in all.count..<2 {
                if index == failsAt { throw ProviderFailure(.retry, code: .speechUnavailable, cause: "scripted") }
                try await request.steps?.admitNext()
                heard.set(heard.now + [index])
                let start = Double(index) * 5
                let word = TimedWord(text: "seaside\(index)", start: start, end: start + 1, confidence: 0.9)
                let part = SpeechPart(
                    index: index, start: start, end: start + 5, next: index == 0 ? 5 : nil, asked: nil, language: "en", model: nil,
                    segments: [SpeechSegment(start: start, end: start + 1, words: [word])])
                try await parts.keep(part, by: reference, used: UsageAmount(audioMilliseconds: 5_000))
                all.append(part)
                request.steps?.report(Double(index + 1) / 2)
                if index == 0 { afterFirst() }
            }
            return SpeechAnswer(RawTranscript(language: "en", segments: all.flatMap(\.segments)), use: EngineUse())
        }
    }

    let person: Person
    let store = ScriptedJobStore()
    let objects: MemoryObjects
    let object = UUID()
    let facts: EntryFacts

    init() async throws {
        person = try await Person()
        objects = MemoryObjects(sealedBy: person.vault.key)
        objects[person.key(.audio, object)] = SecureRandom.bytes(1_000)
        facts = EntryFacts.make(status: .uploaded, size: 1_000, object: object)
        store.put(try person.vault.entry(facts))
    }

    private var key: String { "\(facts.id) \(object) far/m" }

    private func run(_ engines: any SpeechEngine...) async throws {
        try await run(engines.map { ($0, .local) }, gates: [])
    }

    private func run(_ engines: [(any SpeechEngine, EngineKind)], gates: [any EngineGate]) async throws {
        let scratch = try Scratch()
        let chain = engines.enumerated().map { number, engine in
            ConfiguredEngine(EngineSettings(name: "e\(number)", stage: .speech, kind: engine.1), engine.0)
        }
        _ = try await TranscribeRecording(
            store: store, objects: objects.store, keys: person.keys, engines: FixedEngines(speech: chain, text: []), gates: gates,
            folders: scratch.folders
        ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))
    }

    private func stored() throws -> (machine: MachinePart, segments: [SpeechSegment]) {
        let machine = try #require(store.machine)
        let heard = try #require(store.heard)
        return (
            try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: facts.id.uuid, version: machine.version),
            try person.vault.open([SpeechSegment].self, heard.segments.sealed, as: .segments, row: facts.id.uuid, version: 1)
        )
    }

    @Test("a part is kept sealed and at once; the next try hears the others only")
    func resumes() async throws {
        let first = PartingEngine(failsAt: 1)
        let stop = await #expect(throws: JobStop.self) { try await run(first) }
        #expect(stop?.outcome == .retry(.speechUnavailable, after: nil) && first.heard.now == [0])
        let kept = try #require(store.parts[key])
        #expect(kept.map(\.index) == [0] && kept.map(\.toMilliseconds) == [5_000])
        let bytes = try #require(kept.first?.sealed)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("seaside"))

        let second = PartingEngine()
        try await run(second)

        #expect(second.heard.now == [1])
        #expect(try stored().machine.raw == "seaside0\nseaside1")
    }

    @Test("the gates of a later try are told what is left to be heard, so that a budget does not count kept parts once more")
    func announced() async throws {
        let gate = NotingGate()
        await #expect(throws: JobStop.self) { try await run([(PartingEngine(failsAt: 1), .local)], gates: [gate]) }
        try await run([(PartingEngine(), .local)], gates: [gate])

        #expect(gate.seconds.now == [10, 5])
    }

    @Test("a part that was altered, or moved to another number, is heard again")
    func altered() async throws {
        let first = PartingEngine()
        try await run(first)
        let parts = try #require(store.parts[key])
        #expect(parts.count == 2)
        let speechParts = JobSpeechParts(
            store: store, keys: person.keys, vault: person.vault,
            job: .make(.transcribe, owner: person.owner, subject: facts.id.uuid), entry: facts.id, object: object)
        #expect(try await speechParts.kept(by: first.reference).map(\.index) == [0, 1])

        var moved = parts
        moved[0].sealed = parts[1].sealed
        moved[1].sealed[moved[1].sealed.count - 1] ^= 1
        store.put(parts: moved, at: key)
        #expect(try await speechParts.kept(by: first.reference).isEmpty)

        // Under another engine's name.
        store.put(parts: parts, at: "\(facts.id) \(object) near")
        #expect(try await speechParts.kept(by: EngineReference(name: "near")).isEmpty)
    }

    @Test("G7: a consent withdrawn between two parts: the engine outside hears no more, the one on the machine hears the recording")
    func withdrawn() async throws {
        let consents = ScriptedConsents()
        var tenant = Stub.tenant("my-day")
        tenant.id = person.owner.tenant
        try tenant.configuration.set("hosted_processing", to: "consent")
        let gates = [ConsentGate(consents: consents, tenants: StubTenants([tenant]))]
        func far() -> PartingEngine { PartingEngine(afterFirst: { consents.given.set(false) }) }
        let percents = Shared<[Int?]>([])

        consents.given.set(true)
        let alone = far()
        let stop = await #expect(throws: JobStop.self) { try await run([(alone, .openai)], gates: gates) }
        #expect(stop?.outcome == .discard(.consentRequired) && alone.heard.now == [0])

        consents.given.set(true)
        store.put(parts: [], at: key)
        let outside = far()
        try await JobProgress.$current.withValue(JobProgress { percent in percents.change { $0.append(percent) } }) {
            try await run([(outside, .openai), (FixedRecognizer(), .local)], gates: gates)
        }

        #expect(outside.heard.now == [0])
        let machine = try stored().machine
        #expect(machine.raw == "hello sea" && machine.speechEngine?.name == "e1")
        #expect(percents.now == [50, nil])
    }

    @Test("A3: when the lease is lost while a part is kept, no engine is asked any more")
    func lost() async throws {
        store.failKeeping(.leaseLost)
        let (first, second) = (PartingEngine(), PartingEngine())

        await #expect(throws: JobStop.abandoned) { try await run(first, second) }

        #expect(first.heard.now == [0] && second.heard.now.isEmpty && store.written.isEmpty)
    }

    @Test("a database that is away for a moment costs no part")
    func outage() async throws {
        store.failKeeping(.unavailable(.unavailable(cause: "away")), .unavailable(.unavailable(cause: "away")))
        let engine = PartingEngine()

        try await run(engine)

        #expect(engine.heard.now == [0, 1] && store.parts[key]?.count == 2)
    }

    @Test("a silent recording is transcribed with an empty text, and the entry says that nothing was heard, and by whom")
    func silence() async throws {
        try await run(FixedRecognizer(transcript: RawTranscript(language: "en", segments: [])))

        let machine = try stored().machine
        let entry = Entry(facts: facts, personal: PersonalPart(), machine: machine, version: 1)
        #expect(machine.raw == "" && entry.text == "")
        #expect(entry.transcription == Transcription(state: .noSpeech, engine: EngineReference(name: "e0"), coverage: nil))
        let heard = Entry(facts: facts, personal: PersonalPart(), machine: MachinePart(raw: "sea"), version: 1)
        #expect(heard.transcription == Transcription(state: .heard, engine: nil, coverage: nil))
        #expect(Entry(facts: facts, personal: PersonalPart(), machine: MachinePart(), version: 1).transcription == nil)
    }

    @Test("the account's vocabulary reaches the engine; one that does not open costs no recording its text")
    func vocabulary() async throws {
        struct Asking: SpeechEngine {
            let languages = SpeechLanguages.all
            let asked = Shared<[[String]]>([])
            func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
                asked.set(asked.now + [request.vocabulary])
                return SpeechAnswer(RawTranscript(language: "en", segments: []), use: EngineUse())
            }
        }
        let engine = Asking()
        let sealed = try person.vault.seal(["Kreuzberg", "Anna-Lena"], as: .vocabulary, row: person.owner.user.uuid)
        for stored in [nil, sealed, [1, 2, 3]] {
            store.put(vocabularySealed: stored)
            try await run(engine)
        }

        #expect(engine.asked.now == [[], ["Kreuzberg", "Anna-Lena"], []])
    }

    @Test("each engine's answer is filtered before it is stored: known credits over silence are no speech")
    func filtered() async throws {
        let words = "Untertitel der Amara.org-Community".split(separator: " ").map {
            TimedWord(text: String($0), start: 1, end: 2, confidence: 0.9)
        }
        try await run(
            FixedRecognizer(transcript: RawTranscript(language: "de", segments: [SpeechSegment(start: 1, end: 2, words: words)])))

        let stored = try stored()
        #expect(stored.machine.raw == "")
        #expect(stored.segments == [SpeechSegment(start: 1, end: 2, words: [], id: 1, marks: ["not_speech"])])
    }
}

/// Notes the length of each call that it admits.
private struct NotingGate: EngineGate {
    let seconds = Shared<[Double]>([])

    func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {
        seconds.change { $0.append(call.audioSeconds) }
    }
    func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {}
}
