import DiaryCrypto

/// Deletes an entry in the trash for good, before its time there ends.
package struct EndTrashedEntry: Sendable {
    let trash: any TrashStore
    let recordings: DeleteRecordings
    let keys: DataKeys

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) {
        let vault = try await keys.vault(of: member)
        guard let stored = try await trash.endTrash(id, keyID: vault.key.id, by: member) else { throw .notFound }
        _ = await recordings.run([stored], of: member.owner)
    }
}
