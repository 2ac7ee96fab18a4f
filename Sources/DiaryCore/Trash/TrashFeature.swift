import DiaryCrypto

/// Deleted entries that can be restored, where the app keeps them for some days (`trash_days`).
package struct TrashFeature: Sendable {
    package let read: ReadTrash
    package let restore: RestoreEntry

    init(_ ports: FeaturePorts) {
        read = ReadTrash(trash: ports.trash, keys: ports.memberKeys)
        restore = RestoreEntry(trash: ports.trash, keys: ports.memberKeys, jobSignals: ports.jobSignals)
    }
}

extension DiaryFeatures {
    package var trash: TrashFeature { TrashFeature(ports) }
}

/// Lists the entries in a member's trash, newest deletion first.
package struct ReadTrash: Sendable {
    package struct Listing: Sendable {
        package var entries: [Entry]
        /// nil at the end.
        package var next: ListPosition?
    }

    let trash: any TrashStore
    let keys: DataKeys

    package func run(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> Listing {
        let page = try await trash.trash(before: position, limit: limit, of: member)
        let entries = try await keys.vault(of: member).open(page.entries)
        guard page.more, let last = entries.last, let deletedAt = last.facts.deletedAt else { return Listing(entries: entries) }
        return Listing(entries: entries, next: ListPosition(at: deletedAt, id: last.facts.id.uuid))
    }
}

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
