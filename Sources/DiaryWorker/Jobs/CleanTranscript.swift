package import DiaryCore
import DiaryCrypto
import FoundationEssentials

/// Cleans the raw transcript and, where the app wants it, adds a title, summary and other extras. When the engines fail, or the guard
/// refuses their text, the raw words are shown instead; they stay stored in any case (A12).
///
/// A text that its owner typed is only described: nothing takes its place.
package struct CleanTranscript: Job {
    package let kind = JobKind.clean
    let store: any TranscriptionStore
    let keys: DataKeys
    let engines: any EngineSource
    let gates: [any EngineGate]
    let tenants: any TenantStore
    let maxTries: Int

    package init(
        store: any TranscriptionStore, keys: DataKeys, engines: any EngineSource, gates: [any EngineGate], tenants: any TenantStore,
        limits: Limits
    ) {
        self.store = store
        self.keys = keys
        self.engines = engines
        self.gates = gates
        self.tenants = tenants
        maxTries = JobDescriptor.clean.retries(limits).maxTries
    }

    package func work(_ job: LeasedJob) async throws -> JobKind? {
        let heard = try await beginning { try await store.beginEntry(job) }
        let stored = heard.entry
        try Failpoint.cleanClaimed.hit()
        let vault = Vault(key: try await keys.key(of: job.owner), owner: job.owner)
        var machine = try vault.machine(of: stored)
        let old = machine
        let isTyped = stored.facts.kind == .text
        let raw = isTyped ? try Self.typed(stored, vault) : try transcript(heard, vault)
        let configuration = try await tenants.configuration(of: job.owner.tenant)
        var waiting: ProcessingCode?
        if isTyped ? configuration.describesTexts : configuration.cleansTranscripts, !raw.text.isEmpty {
            var request = configuration.textRequest
            request.onlyDescribes = isTyped
            switch try await clean(raw, request, heard, job) {
            case .made(let answer, let reference) where isTyped:
                (machine.cleanup, machine.textEngine) = (nil, reference)
                Self.keepExtras(of: answer, of: raw, request.extras, in: &machine)
            case .made(let answer, let reference):
                let cleanup = FidelityGuard.judge(answer.clean, of: raw.text, language: raw.language)
                if cleanup.state == .accepted || machine.clean == nil {
                    Self.keep(answer, reference, cleanup, of: raw, request.extras, in: &machine)
                } else if heard.run.rerunFrom == .clean {
                    // The earlier text stays, and the owner, who asked for the run, sees the reason.
                    throw JobStop.discard(.cleanupRejected)
                }
            case .failed(let code):
                // A cleaned text that was made earlier from the same words stays.
                if machine.clean == nil {
                    machine.cleanup = .failed(code)
                    // Queued again when the consent is given.
                    if code == .consentRequired { waiting = code }
                }
            }
        }
        try Failpoint.cleanBeforeCommit.hit()
        let next = try await finish(job, heard, raw, old, machine, waiting, vault)
        try Failpoint.cleanAfterCommit.hit()
        return next
    }

    /// Writes the result. A new text has the corrections that the owner has made while it was made.
    private func finish(
        _ job: LeasedJob, _ heard: HeardEntry, _ raw: RawTranscript, _ old: MachinePart, _ machine: MachinePart, _ waiting: ProcessingCode?,
        _ vault: Vault
    ) async throws -> JobKind? {
        let stored = heard.entry
        let id = stored.facts.id
        let isNew = machine.clean != old.clean
        var isRepeated = false
        return try await ResultWriting(keys: keys, owner: job.owner).run {
            var stored = stored
            if isRepeated, stored.facts.kind == .text {
                stored = try await store.beginEntry(job).entry
                guard try Self.typed(stored, vault).text == raw.text else { throw Self.otherText }
            }
            var (machine, corrections) = (machine, heard.corrections)
            if isRepeated, isNew { corrections = try await store.corrections(id, of: job.owner) }
            if corrections != heard.corrections, let clean = machine.clean, let segments = heard.segments {
                let heardWords = try vault.open(segments: segments, of: id)
                let words = Transcript.words(of: try vault.open(corrections: corrections, of: segments, id).applied(to: heardWords))
                machine.clean = WordReplacement.text(clean, replacing: raw.text, by: words) ?? clean
            }
            var replaced = try vault.replaced(old, by: machine.clean, of: stored)
            if isNew {
                replaced.corrections = corrections?.sealed.version ?? 0
                replaced.personal = isRepeated ? nil : stored.personal?.version
            }
            if stored.facts.kind == .text { replaced.personal = stored.personal?.version }
            isRepeated = true
            let sealed = try vault.seal(machine, .machine, row: id.uuid, replacing: stored.machine?.version ?? 0)
            return try await store.finishMachine(job, machine: sealed, replaced: replaced, waiting: waiting)
        }
    }

    /// A typed text was edited while it was described. The job describes the new one, after a wait: the user may be writing still, and each
    /// description costs a call.
    private static let otherText = JobStop(outcome: .wait(.engineBusy, after: 10), cause: "the text was edited meanwhile")

    /// Nothing is kept of an answer whose cleaned text is refused: its other members come from the same model.
    private static func keep(
        _ answer: TextAnswer, _ reference: EngineReference, _ cleanup: Cleanup, of raw: RawTranscript, _ extras: Set<TextRequest.Extra>,
        in machine: inout MachinePart
    ) {
        machine.cleanup = cleanup
        machine.textEngine = reference
        machine.removeExtras()
        guard cleanup.state == .accepted else { return }
        machine.clean = answer.clean
        if !extras.isEmpty { keepExtras(of: answer, of: raw, extras, in: &machine) }
    }

    private static func keepExtras(
        of answer: TextAnswer, of raw: RawTranscript, _ extras: Set<TextRequest.Extra>, in machine: inout MachinePart
    ) {
        var guardian = ExtrasGuard(raw.text, language: raw.language)
        let kept = guardian.kept(of: answer, extras)
        (machine.suggested, machine.summary, machine.keyPoints) = (kept.suggestions, kept.summary, kept.keyPoints)
    }

    /// The segments with the owner's present corrections. Later ones are put into the cleaned text when it is written.
    private func transcript(_ heard: HeardEntry, _ vault: Vault) throws(DiaryError) -> RawTranscript {
        let facts = heard.entry.facts
        guard let sealed = heard.segments else {
            // Words of a client, without times.
            return Self.lines(of: try vault.machine(of: heard.entry).raw ?? "", language: facts.language)
        }
        let spoken = try vault.open(segments: sealed, of: facts.id)
        let segments = try vault.open(corrections: heard.corrections, of: sealed, facts.id).applied(to: spoken).map(\.corrected)
        return RawTranscript(language: facts.language ?? "und", segments: segments)
    }

    /// A line of the text is a segment. Of a damaged part there are none.
    private static func typed(_ stored: StoredEntry, _ vault: Vault) throws(DiaryError) -> RawTranscript {
        lines(of: try vault.open(stored).personal.edited ?? "", language: stored.facts.language)
    }

    private static func lines(of text: String, language: String?) -> RawTranscript {
        let segments = text.split(whereSeparator: \.isNewline).map { line in
            let words = line.split(whereSeparator: \.isWhitespace).map { TimedWord(text: String($0), start: 0, end: 0, confidence: 1) }
            return SpeechSegment(start: 0, end: 0, words: words)
        }
        return RawTranscript(language: language ?? "und", segments: segments)
    }

    private enum Outcome {
        case made(TextAnswer, EngineReference)
        /// There is no cleaned text, and the raw words are shown.
        case failed(ProcessingCode)
    }

    private func clean(
        _ raw: RawTranscript, _ request: TextRequest, _ heard: HeardEntry, _ job: LeasedJob
    ) async throws -> Outcome {
        let engines = heard.run.engines(of: try await self.engines.text(of: job.owner))
        guard heard.run.engine == nil || !engines.isEmpty else { throw ProviderFailure.noSuchEngine(.cleanupUnavailable) }
        try Failpoint.cleanSent.hit()
        let call = EngineCall(owner: job.owner, entry: heard.entry.facts.id, characters: raw.text.unicodeScalars.count)
        let made: (answer: TextAnswer, engine: EngineSettings)
        do throws(ProviderFailure) {
            made = try await EngineChain(engines: engines, gates: gates).first(call, none: .cleanupUnavailable) {
                (engine, steps) async throws(ProviderFailure) in
                var request = request
                request.steps = steps
                let answer = try await engine.engine.clean(raw, request)
                return (answer, answer.use)
            }
        } catch {
            // After the last try the entry would fail although its words are known. A run that the owner asked for tells its failure, and the
            // texts stay. That of a typed text stands in `cleanup`: its first run was not asked for.
            let isLast = error.treatment == .permanent || (!error.isWait && job.errors + 1 >= maxTries)
            let isOwn = heard.run.rerunFrom == .clean && heard.entry.facts.kind == .voice
            if !isOwn, !Task.isCancelled, isLast { return .failed(error.code) }
            throw error
        }
        try Failpoint.cleanAnswered.hit()
        return .made(made.answer, EngineReference(name: made.engine.name, model: made.answer.model ?? made.engine.model))
    }
}
