import DiaryCrypto

/// The app reports that its recording is uploaded. The store is checked for it, whichever server received it, and a job is
/// enqueued to verify it (decision D10).
package struct CompleteUpload: Sendable {
    let entries: any EntryStore
    let objects: any ObjectStore
    let keys: DataKeys
    let jobSignals: any JobSignals

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) -> Entry {
        guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
        guard stored.facts.kind == .voice, let object = stored.facts.object else { throw DiaryError(.notAVoiceEntry) }
        let vault = try await keys.vault(of: member)
        guard stored.facts.status == .awaitingUpload else { return try vault.open(stored) }
        let key = ObjectKey(kind: .staging, tenant: member.tenant, user: member.user, object: object)
        let size: Int64
        do {
            let found = try await objects.facts(key).size
            try await objects.confirmDurable(key)
            size = found
        } catch .missing {
            // Not uploaded; or, since the entry was read, a sweeper completed it and a worker promoted it, or the account was deleted.
            guard let now = try await entries.entry(id, of: member) else { throw .notFound }
            guard now.facts.status == .awaitingUpload else { return try vault.open(now) }
            // After the restore of an older database the recording may have been verified already.
            let final = ObjectKey(kind: .audio, tenant: member.tenant, user: member.user, object: object)
            guard let verified = try? await objects.facts(final) else { throw DiaryError(.uploadIncomplete) }
            size = verified.size
        } catch {
            throw DiaryError(storing: error)
        }
        guard size == stored.facts.sizeBytes else { throw DiaryError(.uploadSizeMismatch) }
        try Failpoint.completeAfterHead.reach()
        let job = NewJob(.verify, cost: JobCost.verify(bytes: size))
        switch try await entries.completeUpload(id, size: size, keyID: vault.key.id, job: job, by: member) {
        case .enqueued(let stored):
            try Failpoint.completeAfterCommit.reach()
            jobSignals.jobCommitted(job.kind)
            try Failpoint.completeAfterSignal.reach()
            return try vault.open(stored)
        case .already(let stored): return try vault.open(stored)
        case .missing: throw .notFound
        }
    }
}
