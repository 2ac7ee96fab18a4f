/// A fresh URL for the same entry, because iOS may upload hours later (decision D10).
package struct ReissueUpload: Sendable {
    let entries: any EntryStore
    let uploads: UploadURLs
    let clock: WallClock

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) -> UploadTarget {
        guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
        guard stored.facts.kind == .voice else { throw DiaryError(.notAVoiceEntry) }
        guard let target = uploads.target(for: stored.facts, of: member.owner, at: clock.now()) else {
            throw DiaryError(stored.facts.processing?.code == .uploadExpired ? .uploadExpired : .uploadFinished)
        }
        return target
    }
}
