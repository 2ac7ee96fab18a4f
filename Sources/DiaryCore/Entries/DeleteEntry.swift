import DiaryCrypto

/// Deletes an entry: its text at once, the recording right after; or moves it into the trash, where the app has one. Other devices get a
/// tombstone in the feed either way.
package struct DeleteEntry: Sendable {
    let entries: any EntryStore
    let trash: any TrashStore
    let tenants: any TenantStore
    let recordings: DeleteRecordings
    let keys: DataKeys

    /// - Parameter permanently: deletes at once even when the app has a trash; also an entry in the trash.
    package func run(
        _ id: EntryID, matching match: VersionMatch, permanently: Bool = false, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Void> {
        let vault = try await keys.vault(of: member)
        let expected: Int64? = if case .exactly(let version) = match { version } else { nil }
        let days = permanently ? nil : try await tenants.configuration(of: member.tenant).trashDays
        let outcome =
            if let days {
                try await trash.moveToTrash(id, expecting: expected, days: days, keyID: vault.key.id, by: member)
            } else {
                try await entries.delete(id, expecting: expected, keyID: vault.key.id, by: member)
            }
        switch outcome {
        case .missing:
            guard permanently else { throw .notFound }
            switch try await trash.endTrash(id, expecting: expected, keyID: vault.key.id, by: member) {
            case .missing: throw .notFound
            case .conflict(let current): return .conflict(try vault.open(current))
            case .written(let trashed):
                _ = await recordings.run([trashed], of: member.owner)
                return .written(())
            }
        case .conflict(let current): return .conflict(try vault.open(current))
        case .written(let deleted):
            if days == nil { _ = await recordings.run([deleted], of: member.owner) }
            return .written(())
        }
    }
}
