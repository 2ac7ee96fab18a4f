import DiaryCrypto

/// Gives a speaker profile another name, which every recording shows from then on: one write and one change of the feed.
package struct RenameSpeaker: Sendable {
    let store: any SpeakerStore
    let keys: DataKeys

    package enum Outcome: Sendable {
        case renamed(SpeakerProfile)
        case otherVersion(SpeakerProfile)
    }

    /// - Parameters:
    ///   - name: is trimmed.
    ///   - versions: of which it must have one; nil for any.
    package func run(
        _ id: SpeakerID, to name: String, matching versions: [Int64]?, by member: Member
    ) async throws(DiaryError) -> Outcome {
        let name = SingleLine.trimmed(name)
        guard !name.isEmpty else { throw .invalid("/name", "must not be blank") }
        let vault = try await keys.vault(of: member)
        // As in `EntryStore.rewrite`.
        for _ in 0..<3 {
            guard let stored = try await store.speaker(id, of: member) else { throw .notFound }
            let old = vault.open(stored)
            if let versions, !versions.contains(old.version) { return .otherVersion(old) }
            guard name != old.name else { return .renamed(old) }
            let sealed = try vault.seal(speaker: name, id, version: old.version + 1)
            if let renamed = try await store.rename(id, to: sealed, keyID: vault.key.id, by: member) {
                return .renamed(vault.open(renamed))
            }
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }
}
