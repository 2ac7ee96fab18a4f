import DiaryCrypto

/// Restarts the processing of a failed entry.
package struct RetryEntry: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let tenants: any TenantStore
    let jobSignals: any JobSignals
    let writes: IdempotentWrites

    package func run(_ id: EntryID, key: RequestKey = .none, by member: Member) async throws(DiaryError) -> (value: Entry, replayed: Bool) {
        let vault = try await keys.vault(of: member)
        return try await writes.run(.retry, key, request: [id.description], subject: id.uuid, by: member) { claim throws(DiaryError) in
            try await restart(id, claim, vault, member)
        } replay: { _ throws(DiaryError) in
            guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
            return try vault.open(stored)
        }
    }

    private func restart(_ id: EntryID, _ claim: KeyClaim?, _ vault: Vault, _ member: Member) async throws(DiaryError) -> Entry {
        let limits = try await tenants.configuration(of: member.tenant).usageLimits
        switch try await entries.retry(
            id, within: limits, keyID: vault.key.id, job: JobID(UUIDv7.make()), claim: claim, by: member)
        {
        case .enqueued(let stored):
            if let stage = stored.facts.processing?.stage { jobSignals.jobCommitted(stage) }
            return try vault.open(stored)
        case .already: throw DiaryError(.retryNotPossible)
        case .missing: throw .notFound
        }
    }
}
