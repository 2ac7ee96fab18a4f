/// Ends a set of parts and deletes them. The entry goes on waiting.
package struct AbortParts: Sendable {
    let entries: any EntryStore
    let uploads: any PartUploadStore
    let parts: any UploadParts

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) {
        let state = try await uploads.openState(of: id, by: member, entries)
        // The database first: from then on no further part is accepted.
        guard let upload = state.id, try await uploads.closePartUpload(upload, of: id, by: member) else { return }
        do { try await parts.discard(state.key, id: upload) } catch { throw DiaryError(storing: error) }
    }
}
