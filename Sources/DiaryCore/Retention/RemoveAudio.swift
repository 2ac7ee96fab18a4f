import DiaryCrypto

/// Removes the recording of a finished entry; its text stays. Repeated, it changes nothing.
///
/// The row says first that the recording is removed, then the objects are deleted, then the row forgets them: after a crash in between the
/// sweeper goes on.
package struct RemoveAudio: Sendable {
    let removals: any AudioRemovalStore
    let objects: any ObjectStore
    let keys: DataKeys

    package func run(
        _ id: EntryID, matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Entry> {
        let vault = try await keys.vault(of: member)
        let expected: Int64? = if case .exactly(let version) = match { version } else { nil }
        switch try await removals.removeAudio(id, expecting: expected, keyID: vault.key.id, by: member) {
        case .missing: throw .notFound
        case .written(let stored):
            await delete(stored, of: member.owner)
            return .written(try vault.open(stored))
        case .conflict(let current):
            if let expected, expected != current.version { return .conflict(try vault.open(current)) }
            if current.facts.audioRemovedAt != nil { return .written(try vault.open(current)) }
            throw DiaryError(current.facts.kind == .voice ? .transcriptNotReady : .notAVoiceEntry)
        }
    }

    private func delete(_ entry: StoredEntry, of owner: Owner) async {
        do {
            try await objects.deleteRecording(entry.recordingObjects, of: owner)
            try await removals.forgetAudio(entry.facts.id, of: owner)
        } catch {
            // Left to the sweeper: the recording is no longer played either way.
        }
    }
}
