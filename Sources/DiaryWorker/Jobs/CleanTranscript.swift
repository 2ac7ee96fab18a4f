package import DiaryCore
import DiaryCrypto
import FoundationEssentials

/// Removes fillers and repetitions from the raw words. When the cleaner fails, the raw words are shown instead; they stay
/// stored in any case (A12).
package struct CleanTranscript: Job {
    package let kind = JobKind.clean
    let store: any TranscriptionStore
    let keys: DataKeys
    let cleaner: any TranscriptCleaner
    let tenants: any TenantStore
    let maxTries: Int

    package init(store: any TranscriptionStore, keys: DataKeys, cleaner: any TranscriptCleaner, tenants: any TenantStore, limits: Limits) {
        self.store = store
        self.keys = keys
        self.cleaner = cleaner
        self.tenants = tenants
        maxTries = JobDescriptor.clean.retries(limits).maxTries
    }

    package func run(_ job: LeasedJob) async throws(JobStop) -> JobKind? {
        let stored = try await store.begin(job)
        try Failpoint.cleanClaimed.pass()
        let vault = Vault(key: try await keys.open(job.owner), owner: job.owner)
        var machine = try vault.machine(of: stored)
        let raw = try await transcript(stored, vault)
        machine.clean = try await isWanted(job) ? try await clean(raw, job) : nil
        let sealed = try vault.seal(machine, .machine, row: stored.facts.id.uuid, replacing: stored.machine?.version ?? 0)
        try Failpoint.cleanBeforeCommit.pass()
        let next = try await ResultWriting(keys: keys, owner: job.owner).run { () async throws(WorkError) in
            try await store.finishMachine(job, machine: sealed)
        }
        try Failpoint.cleanAfterCommit.pass()
        return next
    }

    private func isWanted(_ job: LeasedJob) async throws(JobStop) -> Bool {
        do { return try await tenants.configuration(of: job.owner.tenant).cleansTranscripts } catch { throw JobStop(error) }
    }

    private func transcript(_ stored: StoredEntry, _ vault: Vault) async throws(JobStop) -> RawTranscript {
        let sealed: SealedColumn?
        do throws(WorkError) { sealed = try await store.segments(stored.facts.id, of: vault.owner) } catch {
            throw JobStop(beginning: error)
        }
        guard let sealed else { return RawTranscript(language: stored.facts.language ?? "und", segments: []) }
        do throws(DiaryError) {
            let segments = try vault.open(
                [SpeechSegment].self, sealed.bytes, as: .segments, row: stored.facts.id.uuid, version: sealed.version)
            return RawTranscript(language: stored.facts.language ?? "und", segments: segments)
        } catch {
            throw JobStop(error)
        }
    }

    /// nil: the raw words are shown.
    private func clean(_ raw: RawTranscript, _ job: LeasedJob) async throws(JobStop) -> String? {
        guard !raw.text.isEmpty else { return nil }
        try Failpoint.cleanSent.pass()
        let answer: String
        do throws(ProviderFailure) {
            answer = try await cleaner.clean(raw)
        } catch {
            // After the last try the entry would fail although its words are known.
            if !Task.isCancelled, error.treatment == .permanent || job.errors + 1 >= maxTries { return nil }
            throw JobStop(error)
        }
        try Failpoint.cleanAnswered.pass()
        return CleanupGuard.accepts(answer, for: raw.text) ? answer : nil
    }
}
