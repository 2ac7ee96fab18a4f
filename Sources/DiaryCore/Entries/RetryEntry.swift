import DiaryCrypto

/// Restarts the processing of a failed entry.
package struct RetryEntry: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let jobSignals: any JobSignals

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) -> Entry {
        let vault = try await keys.vault(of: member)
        switch try await entries.retry(id, keyID: vault.key.id, job: JobID(UUIDv7.make()), by: member) {
        case .enqueued(let stored):
            if let stage = stored.facts.processing?.stage { jobSignals.jobCommitted(stage) }
            return try vault.open(stored)
        case .already: throw DiaryError(.retryNotPossible)
        case .missing: throw .notFound
        }
    }
}
