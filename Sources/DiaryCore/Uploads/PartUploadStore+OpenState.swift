extension PartUploadStore {
    /// - Throws: `notFound`, `notAVoiceEntry`, and `uploadFinished` for an entry that neither waits nor has expired.
    func openState(
        of id: EntryID, by member: Member, _ entries: any EntryStore
    ) async throws(DiaryError) -> PartUploadState {
        guard let state = try await partUpload(of: id, by: member) else {
            guard try await entries.entry(id, of: member) != nil else { throw .notFound }
            throw DiaryError(.notAVoiceEntry)
        }
        guard state.isOpen else { throw DiaryError(.uploadFinished) }
        return state
    }
}
