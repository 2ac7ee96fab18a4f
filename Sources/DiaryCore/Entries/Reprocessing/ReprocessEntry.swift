import DiaryCrypto

/// Recognises or cleans an entry's recording again, also when it is finished, or describes a typed text. What the owner has written stays;
/// texts that are replaced are kept as revisions. The earlier texts are shown until the run's first stage has its result, and after a failure
/// of that stage.
package struct ReprocessEntry: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let engines: any EngineDirectory
    let tenants: any TenantStore
    let jobSignals: any JobSignals
    let writes: IdempotentWrites

    /// - Parameter wanted: nil to begin where it failed.
    package func run(
        _ id: EntryID, _ wanted: NewRun?, key: RequestKey = .none, by member: Member
    ) async throws(DiaryError) -> (value: Entry, replayed: Bool) {
        if let wanted, let engine = wanted.engine {
            let allowed = try await engines.offer(of: member.tenant).options(of: wanted.stage.engines).map(\.name)
            guard allowed.contains(engine) else {
                throw .invalid("/engine", "is not an engine of the app for this stage: \(allowed.joined(separator: ", "))")
            }
        }
        let vault = try await keys.vault(of: member)
        let request = [id.description, wanted?.stage.rawValue, wanted?.language, wanted?.engine]
        return try await writes.run(.reprocess, key, request: request, subject: id.uuid, by: member) { claim throws(DiaryError) in
            try await start(id, wanted, claim, vault, member)
        } replay: { _ throws(DiaryError) in
            guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
            return try vault.open(stored)
        }
    }

    private func start(
        _ id: EntryID, _ wanted: NewRun?, _ claim: KeyClaim?, _ vault: Vault, _ member: Member
    ) async throws(DiaryError) -> Entry {
        let configuration = try await tenants.configuration(of: member.tenant)
        let (limits, describesTexts) = (configuration.usageLimits, configuration.describesTexts)
        let job = JobID(UUIDv7.make())
        var run: NewRun?
        if let wanted { run = wanted } else { run = try await failedRun(of: id, describesTexts, member) }
        run?.describesTexts = describesTexts
        let outcome: CompleteOutcome
        if let run {
            outcome = try await entries.reprocess(id, run, within: limits, keyID: vault.key.id, job: job, claim: claim, by: member)
        } else {
            outcome = try await entries.retry(id, within: limits, keyID: vault.key.id, job: job, claim: claim, by: member)
        }
        switch outcome {
        case .enqueued(let stored):
            try Failpoint.reprocessAfterCommit.hitAsDiaryError()
            if let stage = run?.stage.kind ?? stored.facts.processing?.stage { jobSignals.jobCommitted(stage) }
            return try vault.open(stored)
        case .already(let stored): throw DiaryError(Self.refusal(stored.facts, run?.stage, describesTexts))
        case .missing: throw .notFound
        }
    }

    /// The run of a finished entry that failed; nil for an entry that has failed itself.
    private func failedRun(of id: EntryID, _ describesTexts: Bool, _ member: Member) async throws(DiaryError) -> NewRun? {
        guard let facts = try await entries.entry(id, of: member)?.facts else { throw .notFound }
        if facts.kind == .voice, facts.status == .failed { return nil }
        guard facts.status == .transcribed, let failed = facts.processing, failed.code != nil,
            let stage = NewRun.Stage(rawValue: failed.stage.rawValue)
        else { throw DiaryError(Self.refusal(facts, nil, describesTexts)) }
        return NewRun(stage: stage)
    }

    /// Why an entry cannot be processed again in its present state.
    private static func refusal(_ facts: EntryFacts, _ wanted: NewRun.Stage?, _ describesTexts: Bool) -> ErrorCode {
        guard facts.kind == .voice || (describesTexts && wanted != .transcribe) else { return .notAVoiceEntry }
        if wanted == .transcribe, facts.audioRemovedAt != nil { return .audioRemoved }
        if wanted == .transcribe, facts.isOnDevice { return .audioOnDevice }
        switch facts.status {
        case .awaitingUpload: return .uploadIncomplete
        case .uploaded, .transcribing, .cleaning: return .alreadyProcessing
        case .transcribed, .failed: return .reprocessNotPossible
        }
    }
}
