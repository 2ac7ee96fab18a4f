import DiaryCrypto

/// Deletes an entry in the trash for good, before its time there ends.
package struct EndTrashedEntry: Sendable {
    let trash: any TrashStore
    let objects: any ObjectStore
    let parts: any UploadParts
    let keys: DataKeys

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) {
        let vault = try await keys.vault(of: member)
        guard let stored = try await trash.endTrash(id, keyID: vault.key.id, by: member) else { throw .notFound }
        await objects.deleteRecording(of: stored, member, parts)
    }
}
