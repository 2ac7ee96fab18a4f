import DiaryCrypto
package import FoundationEssentials

/// Recordings that are removed while their texts stay.
package struct RetentionFeature: Sendable {
    package let remove: RemoveAudio

    init(_ ports: FeaturePorts) {
        remove = RemoveAudio(removals: ports.audioRemovals, recordings: ports.deleteRecordings, keys: ports.memberKeys)
    }
}

extension DiaryFeatures {
    package var retention: RetentionFeature { RetentionFeature(ports) }
}

/// Removes the recording of a finished entry; its text stays. Repeated, it changes nothing.
///
/// The row says first that the recording is removed, then the objects are deleted, then the row forgets them: after a crash in between the
/// sweeper goes on.
package struct RemoveAudio: Sendable {
    let removals: any AudioRemovalStore
    let recordings: DeleteRecordings
    let keys: DataKeys

    package func run(
        _ id: EntryID, matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Entry> {
        let marked = try await mark(id, matching: match, by: member)
        if let removed = marked.removed { await finish([removed], of: member.owner) }
        return marked.write
    }

    /// The first step.
    /// - Returns: with `removed`, for `finish`, the entry whose recording was removed by this call.
    func mark(
        _ id: EntryID, matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> (write: VersionedWrite<Entry>, removed: StoredRecording?) {
        let vault = try await keys.vault(of: member)
        let expected: Int64? = if case .exactly(let version) = match { version } else { nil }
        switch try await removals.removeAudio(id, expecting: expected, keyID: vault.key.id, by: member) {
        case .missing: throw .notFound
        case .written(let removed): return (.written(try vault.open(removed.entry)), removed)
        case .conflict(let current):
            if let expected, expected != current.version { return (.conflict(try vault.open(current)), nil) }
            if current.facts.audioRemovedAt != nil { return (.written(try vault.open(current)), nil) }
            if current.facts.isOnDevice { throw DiaryError(.audioOnDevice) }
            throw DiaryError(current.facts.kind == .voice ? .transcriptNotReady : .notAVoiceEntry)
        }
    }

    /// The other two steps. What they leave is left to the sweeper: the recordings are no longer played either way.
    func finish(_ removed: [StoredRecording], of owner: Owner) async {
        for entry in await recordings.run(removed, of: owner) { try? await removals.forgetAudio(entry, of: owner) }
    }
}

/// Recordings that are removed while their texts stay, by the database role `diary_api`.
package protocol AudioRemovalStore: Sendable {
    /// Marks the recording of a finished entry as removed. Its object is deleted after this has been committed.
    /// - Parameter version: what If-Match named; nil for any version.
    /// - Returns: `conflict` also for an entry that is not finished, has no recording, or none any more.
    func removeAudio(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> RemovalOutcome
    /// The objects of an entry's removed recording have been deleted. Until then the sweeper deletes them again.
    func forgetAudio(_ entry: EntryID, of owner: Owner) async throws(DiaryError)
}
