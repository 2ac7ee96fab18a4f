import DiaryCore
import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryWorker

extension RecordingJobTests {
    @Test("words and segments are sealed under the next content version, from a folder of mode 0700")
    func transcribed() async throws {
        objects[person.key(.audio, object)] = audio
        let facts = try entry(sha256: SHA256.digest(audio), machine: MachinePart(raw: "old"))
        let recognizer = FixedRecognizer()
        let scratch = try Scratch()

        let next = try await TranscribeRecording(
            store: store, objects: objects.store, keys: person.keys, engines: FixedEngines.one(speech: recognizer), gates: [],
            folders: scratch.folders
        ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))

        #expect(recognizer.seen.now == (200_000, 0o700, 12.5))
        let machine = try #require(store.machine)
        #expect(machine.version == 2)
        #expect(
            try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: facts.id.uuid, version: 2)
                == MachinePart(raw: "hello sea", speechEngine: EngineReference(name: "fixed"), recognition: 2))
        let heard = try #require(store.heard)
        #expect(heard.language == "en")
        #expect(
            try person.vault.open([SpeechSegment].self, heard.segments.sealed, as: .segments, row: facts.id.uuid, version: 2)
                == recognizer.transcript.segments.numbered)
        #expect(next == .clean)
    }

    @Test("a recording that its owner has removed is not recognised, also while its object is still there")
    func removed() async throws {
        objects[person.key(.audio, object)] = audio
        let facts = EntryFacts.make(status: .uploaded, size: 200_000, object: object, audioRemovedAt: .now)
        store.put(try person.vault.entry(facts))
        let recognizer = FixedRecognizer()
        func transcribe() async throws {
            let scratch = try Scratch()
            _ = try await TranscribeRecording(
                store: store, objects: objects.store, keys: person.keys, engines: FixedEngines.one(speech: recognizer), gates: [],
                folders: scratch.folders
            ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))
        }

        let stop = await #expect(throws: JobStop.self) { try await transcribe() }

        #expect(stop?.outcome == .discard(.uploadMissing) && recognizer.asked.now.isEmpty)
    }

    @Test("where the client named no language the profile's count; one that is not recognised gives the recording up, and it stays")
    func languages() async throws {
        objects[person.key(.audio, object)] = audio
        let recognizer = FixedRecognizer()
        func transcribe(_ language: String?, profile: [String]) async throws {
            store.put(languages: profile)
            let facts = EntryFacts.make(status: .uploaded, size: 200_000, object: object, language: language)
            store.put(try person.vault.entry(facts))
            let scratch = try Scratch()
            _ = try await TranscribeRecording(
                store: store, objects: objects.store, keys: person.keys, engines: FixedEngines.one(speech: recognizer), gates: [],
                folders: scratch.folders
            ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))
        }

        for (language, profile) in [
            ("en-GB", ["de"]), (nil, ["de"]), (nil, ["fr", "de-CH"]), (nil, ["en-GB", "en-US"]), (nil, ["de", "en"]), (nil, []),
        ] as [(String?, [String])] {
            try await transcribe(language, profile: profile)
        }
        #expect(recognizer.asked.now == ["en-GB", "de", "de-CH", "en-GB", nil, nil])
        #expect(store.heard?.language == "en" && store.heard?.begun == nil)
        try await transcribe("en-GB", profile: [])
        #expect(store.heard?.language == "en" && store.heard?.begun == "en-GB", "the language that the entry had when the work began")
        for (language, profile) in [("fr", ["en"]), (nil, ["fr"]), (nil, ["fr", "it"])] as [(String?, [String])] {
            let stop = await #expect(throws: JobStop.self) { try await transcribe(language, profile: profile) }
            #expect(stop?.outcome == .discard(.languageUnsupported))
        }
        #expect(recognizer.asked.now.count == 7 && objects.keys == [person.key(.audio, object)])
    }

    @Test("without a language of client or profile an engine with a list of languages gets the locale's; one that detects gets none")
    func locale() async throws {
        objects[person.key(.audio, object)] = audio
        func asked(
            of engine: FixedRecognizer, _ locale: String?, _ language: String? = nil, profile: [String] = []
        ) async throws -> [String?] {
            store.put(languages: profile, locale: locale)
            let facts = EntryFacts.make(status: .uploaded, size: 200_000, object: object, language: language)
            store.put(try person.vault.entry(facts))
            let scratch = try Scratch()
            _ = try await TranscribeRecording(
                store: store, objects: objects.store, keys: person.keys, engines: FixedEngines.one(speech: engine), gates: [],
                folders: scratch.folders
            ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))
            return engine.asked.now
        }
        func english() -> FixedRecognizer { FixedRecognizer(languages: SpeechLanguages(["en"])) }

        let stop = await #expect(throws: JobStop.self) { try await asked(of: english(), "de-DE") }
        #expect(stop?.outcome == .discard(.languageUnsupported))

        #expect(try await asked(of: english(), "en-GB") == ["en-GB"])
        #expect(try await asked(of: english(), nil) == [nil])
        #expect(try await asked(of: english(), "und") == [nil])
        #expect(try await asked(of: english(), "de-DE", "en") == ["en"])
        #expect(try await asked(of: english(), "de-DE", profile: ["en"]) == ["en"])
        #expect(try await asked(of: FixedRecognizer(languages: .all), "de-DE") == [nil])
    }

    @Test("A8: a recording that is no longer what was verified is not transcribed")
    func swapped() async throws {
        objects[person.key(.audio, object)] = audio
        let facts = try entry(sha256: SHA256.digest([1]))
        let recognizer = FixedRecognizer()
        let scratch = try Scratch()
        let work = TranscribeRecording(
            store: store, objects: objects.store, keys: person.keys, engines: FixedEngines.one(speech: recognizer), gates: [],
            folders: scratch.folders)

        let stop = await #expect(throws: JobStop.self) {
            _ = try await work.run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))
        }

        #expect(stop?.outcome == .retry(.storageUnavailable, after: nil))
        #expect(recognizer.seen.now.bytes == 0)
    }

    @Test("G7: without its owner's consent a recording is not even fetched for an engine outside the machine")
    func unconsented() async throws {
        // Its object is not there: to fetch it would fail otherwise.
        let facts = try entry()
        var tenant = Stub.tenant("my-day")
        tenant.id = person.owner.tenant
        try tenant.configuration.set("hosted_processing", to: "consent")
        let gate = ConsentGate(consents: ScriptedConsents(), tenants: StubTenants([tenant]))
        let engine: any SpeechEngine = FixedRecognizer()
        let chain = [ConfiguredEngine(EngineSettings(name: "far", stage: .speech, kind: .openai), engine)]
        func transcribe() async throws {
            let scratch = try Scratch()
            _ = try await TranscribeRecording(
                store: store, objects: objects.store, keys: person.keys, engines: FixedEngines(speech: chain, text: []), gates: [gate],
                folders: scratch.folders
            ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))
        }

        let stop = await #expect(throws: JobStop.self) { try await transcribe() }

        #expect(stop?.outcome == .discard(.consentRequired))
    }

    @Test("a recording for which its engine has nothing to ask is no call to the gates; the engine is told how many tries have failed")
    func notAsked() async throws {
        objects[person.key(.audio, object)] = audio
        let facts = try entry()
        let scratch = try Scratch()
        let (gate, recognizer) = (NotingGate(), IdleRecognizer())

        _ = try await TranscribeRecording(
            store: store, objects: objects.store, keys: person.keys, engines: FixedEngines.one(speech: recognizer), gates: [gate],
            folders: scratch.folders
        ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid, errors: 2))

        #expect(gate.results.now == [.notCalled])
        #expect(recognizer.failedTries.now == [2])
        #expect(store.heard?.language == "en")
    }
}

private struct IdleRecognizer: SpeechEngine {
    let languages = SpeechLanguages.all
    let failedTries = Shared<[Int]>([])

    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        failedTries.change { $0.append(request.failedTries) }
        var answer = SpeechAnswer(RawTranscript(language: "en", segments: []), use: EngineUse())
        answer.isFromEngine = false
        return answer
    }
}

private struct NotingGate: EngineGate {
    let results = Shared<[EngineResult]>([])

    func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {}
    func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async { results.change { $0.append(result) } }
}
