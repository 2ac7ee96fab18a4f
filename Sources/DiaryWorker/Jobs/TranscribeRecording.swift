package import DiaryCore
import DiaryCrypto
import FoundationEssentials

/// Transcribes a verified recording into segments of words with their times.
package struct TranscribeRecording: Job {
    package let kind = JobKind.transcribe
    let store: any TranscriptionStore
    let objects: any ObjectStore
    let keys: DataKeys
    let engines: any EngineSource
    let gates: [any EngineGate]
    let folders: JobFolders

    package func work(_ job: LeasedJob) async throws -> JobKind? {
        let begun = try await beginning { try await store.beginEntry(job) }
        let entry = begun.entry
        try Failpoint.claimed.hit()
        let vault = Vault(key: try await keys.key(of: job.owner), owner: job.owner)
        if try isCorrected(begun, vault) { return try await keepWords(of: begun, vault, job) }
        let expected = try await beginning {
            try await store.expectedSpeech(of: job.owner, in: EntryID(job.subject))
        }
        let replaced = try vault.texts(of: entry)
        let heard = try await transcribe(begun, expected, job, vault)
        let waveform = expected.waveformSealed.flatMap { sealed in
            entry.facts.object.flatMap { try? vault.open(Waveform.self, sealed, as: .waveform, row: $0) }
        }
        let filtered = SpeechFilter.apply(heard.answer.transcript, waveform: waveform, seconds: entry.facts.durationSeconds ?? 0)
        let transcript = expected.guessesSpeakers ? SpeakerGuess.apply(filtered) : filtered
        try Failpoint.recognitionAnswered.hit()

        let row = entry.facts.id.uuid
        let version = entry.machine?.version ?? 0
        var part = Self.machinePart(transcript, heard.reference, after: replaced)
        part.recognition = version + 1
        let machine = try vault.seal(part, .machine, row: row, replacing: version)
        let segments = try vault.seal(transcript.segments.numbered, .segments, row: row, replacing: version)
        try Failpoint.rawBeforeCommit.hit()
        let next = try await ResultWriting(keys: keys, owner: job.owner).run {
            let kept = try await vault.replaced(replaced, by: transcript, of: entry, in: store)
            if begun.run.rerunFrom == .verify, kept.revisions.contains(where: { $0.layer == .corrected }) {
                return try await keepWords(of: begun, vault, job)
            }
            return try await store.finishTranscribe(
                job, machine: machine, segments: segments, language: transcript.knownLanguage, insteadOf: entry.facts.language,
                replaced: kept)
        }
        try Failpoint.rawAfterCommit.hit()
        return next
    }

    /// Whether the owner has corrected words of the client, which no request has asked to replace: they stay.
    private func isCorrected(_ begun: HeardEntry, _ vault: Vault) throws(DiaryError) -> Bool {
        guard begun.run.rerunFrom == .verify, let segments = begun.segments else { return false }
        let corrections = try vault.open(corrections: begun.corrections, of: segments, begun.entry.facts.id)
        return !corrections.texts.isEmpty || !corrections.segmentSpeakers.isEmpty
    }

    private func keepWords(of begun: HeardEntry, _ vault: Vault, _ job: LeasedJob) async throws -> JobKind? {
        let entry = begun.entry
        let machine = try vault.seal(
            vault.machine(of: entry), .machine, row: entry.facts.id.uuid, replacing: entry.machine?.version ?? 0)
        return try await ResultWriting(keys: keys, owner: job.owner).run { try await store.finishMachine(job, machine: machine) }
    }

    /// When the recognised words are the same as before, the earlier cleaned text and extras stay until the next stage replaces them.
    private static func machinePart(_ transcript: RawTranscript, _ reference: EngineReference, after old: MachinePart?) -> MachinePart {
        let coverage = transcript.voice.map { VoiceCoverage(voice: $0, segments: transcript.segments) }
        guard var machinePart = old, machinePart.raw == transcript.text else {
            return MachinePart(raw: transcript.text, speechEngine: reference, coverage: coverage)
        }
        (machinePart.speechEngine, machinePart.coverage) = (reference, coverage)
        return machinePart
    }

    private func transcribe(
        _ begun: HeardEntry, _ expected: ExpectedSpeech, _ job: LeasedJob, _ vault: Vault
    ) async throws -> (answer: SpeechAnswer, reference: EngineReference) {
        let (facts, run) = (begun.entry.facts, begun.run)
        guard facts.audioRemovedAt == nil else { throw JobStop.discard(.uploadMissing) }
        guard let object = facts.object, let declared = facts.contentType, let playable = begun.recording.playable else {
            throw JobStop.discard(.uploadMissing)
        }
        // Uses the original; the copy where the original is not kept, or does not have the sound as players and engines read it.
        let original = expected.hearsCopy ? nil : begun.recording.original
        let (source, contentType) = (original ?? playable, original == nil ? PlayableCopy.format.rawValue : declared)
        // Stored by the verify job, in the transaction that made this job.
        guard let duration = facts.durationSeconds else { throw JobStop.discard(.unexpected) }
        let engines = try await self.engines.speech(of: job.owner)
        do throws(ProviderFailure) {
            try await EngineChain(engines: run.engines(of: engines), gates: gates)
                .admitted(EngineCall(owner: job.owner, entry: facts.id, audioSeconds: duration))
        } catch {
            throw JobStop(error)
        }
        let key = ObjectKey(kind: .audio, owner: job.owner, object: source.object)
        let stored: ObjectFacts
        do throws(ObjectStoreError) {
            stored = try await objects.facts(key)
        } catch .missing {
            // It was there when it was verified: the store is incomplete at the moment (a disk not mounted, a restore under way).
            throw JobStop.retry(.storageUnavailable, cause: "recording missing")
        }
        // Hints only: without them, or with damaged ones, the recording is transcribed all the same.
        let vocabulary = (try? vault.vocabulary(expected.vocabularySealed)) ?? []
        let speechParts = JobSpeechParts(store: store, keys: keys, vault: vault, job: job, entry: facts.id, object: object)
        // A language that the owner or the client named for this recording overrides the profile's.
        let languages = SpeechLanguages.known(run.language ?? facts.language) == nil ? expected.languages : []
        let request = SpeechRequest(
            userLanguages: languages, vocabulary: vocabulary, failedTries: job.errors, parts: SpeechPartAccess(speechParts))
        return try await folders.withFolder(of: job) { folder in
            let recording = try await RecordingFile.open(key, stored, from: objects, with: vault.key, in: folder)
            if let verified = source.sha256, verified != recording.sha256 {
                throw JobStop.retry(.storageUnavailable, cause: "recording differs from what was verified")
            }
            try Failpoint.downloaded.hit()
            try Failpoint.decoding.hit()
            try Failpoint.recognitionSent.hit()
            do throws(ProviderFailure) {
                let verified = VerifiedRecording(
                    path: recording.path, folder: folder, contentType: contentType, durationSeconds: duration)
                return try await ask(run.engines(of: engines), verified, facts, run, expected.locale, request, speechParts, job)
            } catch {
                throw speechParts.stop ?? JobStop(error)
            }
        }
    }

    /// The account's languages, and that of its phone.
    static func offered(_ profile: [String], _ locale: String?) -> [String] {
        guard let locale = SpeechLanguages.known(locale) else { return profile }
        return profile.contains { SpeechLanguages.primary($0) == SpeechLanguages.primary(locale) } ? profile : profile + [locale]
    }

    /// The language is the one that the owner or the client named for this recording, else one of the profile.
    private func ask(
        _ engines: [ConfiguredEngine<any SpeechEngine>], _ recording: VerifiedRecording, _ facts: EntryFacts, _ run: EntryRun,
        _ locale: String?, _ request: SpeechRequest, _ speechParts: JobSpeechParts, _ job: LeasedJob
    ) async throws(ProviderFailure) -> (answer: SpeechAnswer, reference: EngineReference) {
        guard run.engine == nil || !engines.isEmpty else { throw .noSuchEngine(.speechUnavailable) }
        let named = SpeechLanguages.known(run.language ?? facts.language)
        let profile = request.userLanguages
        let able = engines.filter { $0.engine.languages.choose(entry: named, profile: profile, locale: locale) != .unsupported }
        guard !able.isEmpty || engines.isEmpty else {
            throw ProviderFailure(.permanent, code: .languageUnsupported, cause: "no engine of the chain knows the language")
        }
        func asked(_ engine: any SpeechEngine, _ steps: CallSteps? = nil) throws(ProviderFailure) -> SpeechRequest {
            // The job lost its lease or will be retried: ask no further engine.
            if speechParts.stop != nil { throw ProviderFailure(.retry, code: .unexpected, cause: "the job has stopped") }
            var own = request
            own.steps = steps
            own.offered = named.map { [$0] } ?? Self.offered(profile, locale)
            if case .recognize(let language) = engine.languages.choose(entry: named, profile: profile, locale: locale) {
                own.language = language
            }
            return own
        }
        let heard = try await EngineChain(engines: able, gates: gates).first(
            none: .speechUnavailable,
            announcing: { engine async throws(ProviderFailure) in
                let seconds = try await engine.engine.secondsToHear(recording, try asked(engine.engine))
                return EngineCall(owner: job.owner, entry: facts.id, audioSeconds: seconds)
            }
        ) { (engine, steps) async throws(ProviderFailure) in
            let answer = try await engine.engine.transcribe(recording, try asked(engine.engine, steps))
            return (answer, answer.isFromEngine ? answer.use : nil)
        }
        return (heard.answer, EngineReference(name: heard.engine.name, model: heard.answer.model ?? heard.engine.model))
    }
}
