import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

struct FixedProbe: MediaProbe {
    var seconds = 12.5
    func inspect(_ path: String, contentType: String, folder: String) async throws(ProviderFailure) -> MediaFacts {
        MediaFacts(durationSeconds: seconds, codec: "aac", channels: 1, sampleRate: 16_000)
    }
}

/// Measures what the probe said, or something else.
struct FixedRenderer: RecordingRenderer {
    var seconds: Double?
    /// The bytes of the copy; nil: none is made.
    var copy: [UInt8]?

    static let waveform = Waveform { UInt8(truncatingIfNeeded: $0) }

    func render(
        _ path: String, contentType: String, facts: MediaFacts, folder: String
    ) async throws(ProviderFailure) -> RenderedRecording {
        let place = copy.map { _ in "\(folder)/copy" }
        if let place { _ = FileManager.default.createFile(atPath: place, contents: copy.map { Data($0) }) }
        return RenderedRecording(durationSeconds: seconds ?? facts.durationSeconds, waveform: Self.waveform, copy: place)
    }
}

struct FixedRecognizer: SpeechEngine {
    var transcript = RawTranscript(
        language: "en",
        segments: [
            SpeechSegment(
                start: 0, end: 1,
                words: [
                    TimedWord(text: "hello", start: 0, end: 0.4, confidence: 1),
                    TimedWord(text: "sea", start: 0.5, end: 1, confidence: 0.9),
                ])
        ])
    var languages = SpeechLanguages(["de", "en"])
    let seen = Shared<(bytes: Int, mode: Int, seconds: Double)>((0, 0, 0))
    let asked = Shared<[String?]>([])

    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        let mode = (try? FileManager.default.attributesOfItem(atPath: recording.folder))?[.posixPermissions] as? Int
        seen.set((FileManager.default.contents(atPath: recording.path)?.count ?? 0, mode ?? 0, recording.durationSeconds))
        asked.set(asked.now + [request.language])
        return SpeechAnswer(transcript, use: EngineUse(audioSeconds: recording.durationSeconds))
    }
}

struct FixedCleaner: TextEngine {
    let answer: @Sendable (RawTranscript) throws(ProviderFailure) -> String
    func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer {
        TextAnswer(clean: try answer(raw))
    }
}

@Suite("Jobs on a recording", .timeLimit(.minutes(1)))
struct RecordingJobTests {
    let person: Person
    let store = ScriptedJobStore()
    let objects: MemoryObjects
    let object = UUID()
    let audio = SecureRandom.bytes(200_000)

    init() async throws {
        person = try await Person()
        objects = MemoryObjects(sealedBy: person.vault.key)
    }

    private func entry(size: Int64? = 200_000, sha256: [UInt8]? = nil, machine: MachinePart? = nil) throws -> EntryFacts {
        let facts = EntryFacts.make(status: .uploaded, size: size, sha256: sha256, object: object)
        store.put(try person.vault.entry(facts, PersonalPart(), machine))
        return facts
    }

    private func tenant(_ configuration: TenantConfiguration) -> Tenant {
        Tenant(
            id: person.owner.tenant, slug: "diary", name: "Diary", mailFromName: "Diary", mailFromAddress: "diary@diary.example",
            createdAt: .now, suspendedAt: nil, configuration: configuration)
    }

    @discardableResult
    private func verify(
        _ facts: EntryFacts, seconds: Double = 12.5, renderer: FixedRenderer = FixedRenderer(),
        _ configuration: TenantConfiguration = TenantConfiguration(), in other: (any ObjectStore)? = nil
    ) async throws -> JobKind? {
        let scratch = try Scratch()
        defer { #expect((try? FileManager.default.contentsOfDirectory(atPath: scratch.folders.root))?.isEmpty == true) }
        return try await VerifyRecording(
            store: store, objects: other ?? objects.store, keys: person.keys, probe: FixedProbe(seconds: seconds),
            renderer: renderer, folders: scratch.folders, tenants: StubTenants([tenant(configuration)]), limits: Limits()
        ).run(.make(.verify, owner: person.owner, subject: facts.id.uuid))
    }

    @Test("a recording that is what was announced moves to its final key with its true facts")
    func verified() async throws {
        objects[person.key(.staging, object)] = audio

        let next = try await verify(try entry(sha256: SHA256.digest(audio)))

        #expect(objects.keys == [person.key(.audio, object)])
        #expect(store.verified?.size == 200_000)
        #expect(store.verified?.sha256 == SHA256.digest(audio))
        #expect(store.verified?.facts.durationSeconds == 12.5)
        #expect(next == .transcribe)
    }

    @Test("the waveform is sealed for this recording, and the length that decoding found counts, for the limit too")
    func measured() async throws {
        objects[person.key(.staging, object)] = audio
        try await verify(try entry(), renderer: FixedRenderer(seconds: 11.75))

        let waveform = try #require(store.verified?.rendition.waveform)
        #expect(store.verified?.facts.durationSeconds == 11.75 && store.verified?.rendition.copy == nil)
        #expect(try person.vault.open(Waveform.self, waveform.sealed, as: .waveform, row: object) == FixedRenderer.waveform)
        #expect(throws: DiaryError.self) { try person.vault.open(Waveform.self, waveform.sealed, as: .waveform, row: UUID()) }

        await #expect(throws: JobStop.discard(.mediaTooLong)) {
            try await verify(try entry(), renderer: FixedRenderer(seconds: 4 * 3_600 + 1, copy: [1]))
        }
        await #expect(throws: JobStop.discard(.mediaUnreadable)) { try await verify(try entry(), renderer: FixedRenderer(seconds: .nan)) }
        #expect(objects.keys == [person.key(.audio, object)])
    }

    @Test("a copy is an object of its own beside the original, under the owner's key")
    func copied() async throws {
        objects[person.key(.staging, object)] = audio
        let bytes = SecureRandom.bytes(150_000)

        try await verify(try entry(), renderer: FixedRenderer(copy: bytes))

        let copy = try #require(store.verified?.rendition.copy)
        #expect(copy.object != object && copy.isOriginalKept)
        #expect(copy.sizeBytes == 150_000 && copy.sha256 == SHA256.digest(bytes))
        #expect(Set(objects.keys) == [person.key(.audio, object), person.key(.audio, copy.object)])
        #expect(objects[person.key(.audio, copy.object)] == bytes && objects[person.key(.audio, object)] == audio)
    }

    @Test(
        "an app that keeps no originals has the copy alone, also when an earlier try has moved the original; what has none stays",
        arguments: [ObjectKey.Kind.staging, .audio])
    func copyAlone(_ place: ObjectKey.Kind) async throws {
        var configuration = TenantConfiguration()
        try configuration.set("recordings.keep_original", to: "off")
        objects[person.key(place, object)] = audio
        try await verify(try entry(), renderer: FixedRenderer(copy: [1, 2, 3]), configuration)

        let copy = try #require(store.verified?.rendition.copy)
        #expect(!copy.isOriginalKept && store.verified?.sha256 == SHA256.digest(audio))
        #expect(objects.keys == [person.key(.audio, copy.object)])

        objects[person.key(place, object)] = audio
        try await verify(try entry(), configuration)
        #expect(objects.keys.contains(person.key(.audio, object)))
    }

    @Test("a copy whose result is refused is deleted, and the recording stays where it was")
    func refusedCopy() async throws {
        objects[person.key(.staging, object)] = audio
        let facts = try entry()
        var configuration = TenantConfiguration()
        try configuration.set("recordings.keep_original", to: "off")
        store.failFinishing(.leaseLost)

        await #expect(throws: JobStop.abandoned) { try await verify(facts, renderer: FixedRenderer(copy: [1, 2, 3]), configuration) }

        #expect(objects.keys == [person.key(.staging, object)])
    }

    @Test(
        "an entry that goes into the trash while its recording is checked keeps the original, sealed, also where the app keeps copies alone",
        arguments: ["on", "off"])
    func trashedMeanwhile(keepsOriginal: String) async throws {
        objects[person.key(.staging, object)] = audio
        let facts = try entry()
        var configuration = TenantConfiguration()
        try configuration.set("recordings.keep_original", to: keepsOriginal)
        store.isGone.set(true)

        let next = try await verify(facts, renderer: FixedRenderer(copy: [1, 2, 3]), configuration)

        #expect(next == nil && store.verified == nil)
        #expect(objects.keys == [person.key(.audio, object)] && objects[person.key(.audio, object)] == audio)
        // Restored, it is checked again.
        store.isGone.set(false)
        try await verify(facts, renderer: FixedRenderer(copy: [1, 2, 3]), configuration)
        let copy = try #require(store.verified?.rendition.copy)
        #expect(objects[person.key(.audio, copy.object)] == [1, 2, 3] && copy.isOriginalKept == (keepsOriginal == "on"))
    }

    @Test("A20: where only the copy is kept, a database that was restored from before the check finds the copy and checks that")
    func restoredBeforeCheck() async throws {
        var configuration = TenantConfiguration()
        try configuration.set("recordings.keep_original", to: "off")
        objects[person.key(.staging, object)] = audio
        let facts = try entry(sha256: SHA256.digest(audio))
        try await verify(facts, renderer: FixedRenderer(copy: [1, 2, 3]), configuration)
        let copy = try #require(store.verified?.rendition.copy)
        #expect(objects.keys == [person.key(.audio, copy.object)])

        // The row of the copy is lost. The app keeps originals by now.
        let next = try await verify(facts, renderer: FixedRenderer(copy: [9]))

        #expect(next == .transcribe && store.verified?.rendition.copy == copy)
        #expect(store.verified?.size == 200_000 && store.verified?.sha256 == SHA256.digest(audio))
        #expect(objects.keys == [person.key(.audio, copy.object)])
        store.failFinishing(.leaseLost)
        await #expect(throws: JobStop.abandoned) { try await verify(facts) }
        #expect(objects.keys == [person.key(.audio, copy.object)], "it is the recording: a try that fails leaves it")
    }

    @Test("a copy that a try left before its end is not overwritten: the next try stores another one")
    func copyTaken() async throws {
        objects[person.key(.staging, object)] = audio
        let left = person.key(.audio, PlayableCopy.object(of: object))
        objects[left] = [7]

        try await verify(try entry(), renderer: FixedRenderer(copy: [1, 2, 3]))

        let copy = try #require(store.verified?.rendition.copy)
        #expect(objects[left] == [7] && objects[person.key(.audio, copy.object)] == [1, 2, 3])
    }

    @Test("where only the copy is kept it is what is transcribed")
    func copyHeard() async throws {
        let copy = PlayableCopy(object: UUID(), sizeBytes: 3, sha256: SHA256.digest([1, 2, 3]), isOriginalKept: false)
        objects[person.key(.audio, copy.object)] = [1, 2, 3]
        let facts = EntryFacts.make(status: .uploaded, size: 200_000, sha256: SHA256.digest(audio), object: object)
        var stored = try person.vault.entry(facts)
        stored.copy = copy
        store.put(stored)
        let recognizer = FixedRecognizer()
        let scratch = try Scratch()

        _ = try await TranscribeRecording(
            store: store, objects: objects.store, keys: person.keys, engines: FixedEngines.one(speech: recognizer), gates: [],
            folders: scratch.folders
        ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))

        #expect(recognizer.seen.now.bytes == 3)
    }

    @Test("a crash after the move goes on with the final key")
    func moved() async throws {
        objects[person.key(.audio, object)] = audio

        try await verify(try entry())

        #expect(store.verified?.size == 200_000)
    }

    @Test("an upload that was seen and is missing now is tried again (A8)")
    func away() async throws {
        let stop = await #expect(throws: JobStop.self) { try await verify(try entry()) }

        #expect(stop?.outcome == .retry(.storageUnavailable, after: nil))
    }

    @Test("D3: another size, another hash, too long: discarded with its code")
    func refused() async throws {
        objects[person.key(.staging, object)] = audio
        await #expect(throws: JobStop.discard(.uploadSizeMismatch)) { try await verify(try entry(size: 199_999)) }
        await #expect(throws: JobStop.discard(.uploadHashMismatch)) { try await verify(try entry(sha256: SHA256.digest([1]))) }
        await #expect(throws: JobStop.discard(.mediaTooLong)) { try await verify(try entry(), seconds: 4 * 3_600 + 1) }
        await #expect(throws: JobStop.discard(.mediaUnreadable)) { try await verify(try entry(), seconds: .nan) }
        #expect(objects.keys == [person.key(.staging, object)])
        #expect(store.written.isEmpty)
    }

    @Test("A8: bytes of a plain upload that are read wrongly once do not refuse it, and are not what is kept")
    func misread() async throws {
        let staging = person.key(.staging, object)
        objects.bytes[staging] = audio
        for sha256 in [SHA256.digest(audio), nil] {
            objects.bytes.hooks.misread = { $0.map { $0 ^ 1 } }
            let stop = await #expect(throws: JobStop.self) { try await verify(try entry(sha256: sha256), in: objects.plainlyStaged) }
            #expect(stop?.outcome == .retry(.storageUnavailable, after: nil))
            #expect(objects.keys == [staging] && store.written.isEmpty)
        }

        #expect(try await verify(try entry(sha256: SHA256.digest(audio)), in: objects.plainlyStaged) == .transcribe)

        #expect(objects[person.key(.audio, object)] == audio && objects.keys.count == 1)
    }

    @Test("a deleted entry is not changed, and an erased owner's job is discarded")
    func gone() async throws {
        await #expect(throws: JobStop.abandoned) { try await verify(.make()) }
        objects[person.key(.staging, object)] = audio
        let facts = try entry()
        try await person.keys.destroy(of: person.owner)
        await #expect(throws: JobStop.discard(.gone)) { try await verify(facts) }
    }

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
                == MachinePart(raw: "hello sea", speechEngine: EngineMark(name: "fixed")))
        let heard = try #require(store.heard)
        #expect(heard.language == "en")
        #expect(
            try person.vault.open([SpeechSegment].self, heard.segments.sealed, as: .segments, row: facts.id.uuid, version: 2)
                == recognizer.transcript.segments.numbered)
        #expect(next == .clean)
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
        for (language, profile) in [("fr", ["en"]), (nil, ["fr"]), (nil, ["fr", "it"])] as [(String?, [String])] {
            let stop = await #expect(throws: JobStop.self) { try await transcribe(language, profile: profile) }
            #expect(stop?.outcome == .discard(.languageUnsupported))
        }
        #expect(recognizer.asked.now.count == 6 && objects.keys == [person.key(.audio, object)])
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

    static let words = Array(repeating: "seaside", count: 60)

    /// Cleans sixty words (or `said`) and returns the machine's part as it is stored.
    private func clean(
        _ said: [String] = words, errors: Int = 0, gates: [any EngineGate] = [],
        _ answer: @escaping @Sendable (RawTranscript) throws(ProviderFailure) -> String
    ) async throws
        -> MachinePart
    {
        let raw = said.joined(separator: " ")
        let facts = try entry(machine: MachinePart(raw: raw))
        let spoken = [SpeechSegment(start: 0, end: 1, words: said.map { TimedWord(text: $0, start: 0, end: 1, confidence: 1) })]
        store.put(
            segments: SealedColumn(bytes: try person.vault.seal(spoken, as: .segments, row: facts.id.uuid, version: 1), version: 1),
            of: facts.id)
        let next = try await CleanTranscript(
            store: store, keys: person.keys, engines: FixedEngines.one(text: FixedCleaner(answer: answer)), gates: gates,
            tenants: StubTenants([]), limits: Limits()
        )
        .run(.make(.clean, owner: person.owner, subject: facts.id.uuid, errors: errors))
        #expect(next == JobCatalogue.diary.successor(of: .clean)?.kind)
        let machine = try #require(store.machine)
        #expect(machine.version == 2)
        return try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: facts.id.uuid, version: 2)
    }

    @Test("a cleaned text stands beside the raw one")
    func cleaned() async throws {
        let raw = Self.words.joined(separator: " ")
        let machine = try await clean { raw throws(ProviderFailure) in raw.text + "." }
        #expect(
            machine == MachinePart(raw: raw, clean: raw + ".", cleanup: Cleanup(thousandths: 1_000), textEngine: EngineMark(name: "fixed")))
    }

    @Test(
        "A12: empty, refusing, tenfold and inventing cleaners leave the raw words, and the reason is stored",
        arguments: [
            ("", .tooShort), (" \n", .tooShort), ("I cannot help with that.", .refusal), ("x10", .tooLong), ("<b>seaside</b>", .markup),
        ] as [(String, Cleanup.Reason)])
    func fallsBack(answer: String, reason: Cleanup.Reason) async throws {
        let machine = try await clean { raw throws(ProviderFailure) in answer == "x10" ? String(repeating: raw.text, count: 10) : answer }
        #expect(machine.clean == nil && machine.raw == Self.words.joined(separator: " "))
        #expect(machine.cleanup?.state == .rejected && machine.cleanup?.reason == reason)
    }

    @Test("A12: a permanent failure, or the last try's, leaves the raw words; an earlier one is tried again")
    func failing() async throws {
        let raw = MachinePart(raw: Self.words.joined(separator: " "))
        let permanent = try await clean { _ throws(ProviderFailure) in
            throw ProviderFailure(.permanent, code: .cleanupUnavailable, cause: "400")
        }
        let failed = MachinePart(raw: raw.raw, cleanup: .failed(.cleanupUnavailable))
        #expect(permanent == failed && failed.cleanup?.state == .failed)
        let last = try await clean(errors: 7) { _ throws(ProviderFailure) in
            throw ProviderFailure(.retry, code: .cleanupUnavailable, cause: "503")
        }
        #expect(last == failed)
        let stop = await #expect(throws: JobStop.self) {
            _ = try await clean { _ throws(ProviderFailure) in
                throw ProviderFailure(.retry, code: .cleanupUnavailable, retryAfter: 9, cause: "503")
            }
        }
        #expect(stop?.outcome == .retry(.cleanupUnavailable, after: 9))
    }

    @Test("a text that no engine may see keeps its raw words and says why; one that waits for a budget is not finished")
    func gated() async throws {
        func refused(_ failure: ProviderFailure, errors: Int = 0) async throws -> MachinePart {
            try await clean(errors: errors, gates: [RefusingGate(failure: failure)]) { raw throws(ProviderFailure) in raw.text + "." }
        }
        let raw = Self.words.joined(separator: " ")
        let unconsented = try await refused(ProviderFailure(.permanent, code: .consentRequired, cause: "no consent"))
        #expect(unconsented.raw == raw && unconsented.clean == nil)
        #expect(unconsented.cleanup == .failed(.consentRequired))
        let off = try await refused(ProviderFailure(.permanent, code: .cleanupUnavailable, cause: "off"))
        #expect(off.clean == nil && off.cleanup == .failed(.cleanupUnavailable))
        let stop = await #expect(throws: JobStop.self) {
            _ = try await refused(.waiting(code: .budgetExceeded, after: 7_200, cause: "used up"), errors: 7)
        }
        #expect(stop?.outcome == .wait(.budgetExceeded, after: 7_200))
    }

    @Test("a short text may lose half of itself but not become an essay; a silent one is not sent")
    func short() async throws {
        #expect(try await clean(["um", "um", "uh", "yes"]) { _ throws(ProviderFailure) in "Yes." }.clean == "Yes.")
        #expect(try await clean(["yes"]) { _ throws(ProviderFailure) in String(repeating: "essay ", count: 30) }.clean == nil)
        #expect(try await clean([]) { _ throws(ProviderFailure) in "As a language model" }.clean == nil)
    }
}

private struct RefusingGate: EngineGate {
    let failure: ProviderFailure

    func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) { throw failure }
    func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {}
}
