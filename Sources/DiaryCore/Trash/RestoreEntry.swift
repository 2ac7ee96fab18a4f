import DiaryCrypto

/// Brings an entry back from the trash, whole and under the same id. Repeated, it changes nothing.
package struct RestoreEntry: Sendable {
    let trash: any TrashStore
    let keys: DataKeys
    let jobSignals: any JobSignals

    /// - Parameter admit: called before an entry is restored whose work goes on: it may have been done before, and is that of a new entry.
    package func run(
        _ id: EntryID, by member: Member, admit: () async throws(DiaryError) -> Void
    ) async throws(DiaryError) -> Entry {
        let vault = try await keys.vault(of: member)
        var outcome = try await trash.restore(id, keyID: vault.key.id, job: nil, by: member)
        if case .needsJob = outcome {
            try await admit()
            outcome = try await trash.restore(id, keyID: vault.key.id, job: JobID(UUIDv7.make()), by: member)
        }
        switch outcome {
        case .restored(let stored, let job):
            if let job { jobSignals.jobCommitted(job) }
            return try vault.open(stored)
        case .already(let stored): return try vault.open(stored)
        case .missing, .needsJob: throw .notFound
        }
    }
}
