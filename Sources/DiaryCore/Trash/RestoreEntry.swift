import DiaryCrypto

/// Brings an entry back from the trash, whole and under the same id. Repeated, it changes nothing.
package struct RestoreEntry: Sendable {
    let trash: any TrashStore
    let keys: DataKeys
    let jobSignals: any JobSignals

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) -> Entry {
        let vault = try await keys.vault(of: member)
        switch try await trash.restore(id, keyID: vault.key.id, job: JobID(UUIDv7.make()), by: member) {
        case .restored(let stored, let job):
            if let job { jobSignals.jobCommitted(job) }
            return try vault.open(stored)
        case .already(let stored): return try vault.open(stored)
        case .missing: throw .notFound
        }
    }
}
