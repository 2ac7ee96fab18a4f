import DiaryCrypto
package import FoundationEssentials

/// Deletes an entry: its text at once, the recording right after; or moves it into the trash, where the app has one. Other devices get a
/// tombstone in the feed either way.
package struct DeleteEntry: Sendable {
    let entries: any EntryStore
    let trash: any TrashStore
    let tenants: any TenantStore
    let objects: any ObjectStore
    let parts: any UploadParts
    let keys: DataKeys

    /// - Parameter permanently: past the trash.
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
        case .missing: throw .notFound
        case .conflict(let current): return .conflict(try vault.open(current))
        case .written(let stored):
            if days == nil { await objects.deleteRecording(of: stored, member, parts) }
            return .written(())
        }
    }
}

extension ObjectStore {
    /// An object or a part that cannot be deleted now is an orphan, which the sweeper deletes.
    func deleteRecording(of entry: StoredEntry, _ member: Member, _ parts: any UploadParts) async {
        for key in entry.recordingObjects.keys(of: member.owner) { try? await delete(key) }
        guard let object = entry.facts.object, entry.facts.status == .awaitingUpload || entry.facts.status == .failed else { return }
        try? await parts.discard(ObjectKey(kind: .staging, tenant: member.tenant, user: member.user, object: object), id: nil)
    }

    /// Before a row forgets the objects.
    package func deleteRecording(_ recording: RecordingObjects, of owner: Owner) async throws(ObjectStoreError) {
        for key in recording.keys(of: owner) { try await delete(key) }
    }
}
