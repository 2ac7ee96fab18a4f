import DiaryCrypto

/// Deletes an entry: its text at once, the recording right after. Other devices learn of it by the tombstone in the feed.
package struct DeleteEntry: Sendable {
    let entries: any EntryStore
    let objects: any ObjectStore
    let keys: DataKeys

    package func run(_ id: EntryID, matching match: VersionMatch, by member: Member) async throws(DiaryError) {
        let key = try await keys.key(of: member)
        let expected: Int64? = if case .exactly(let version) = match { version } else { nil }
        switch try await entries.delete(id, expecting: expected, keyID: key.id, by: member) {
        case .missing: throw .notFound
        case .conflict: throw DiaryError(.preconditionFailed)
        case .written(let stored):
            guard let object = stored.facts.object else { return }
            // An object that cannot be deleted now is an orphan, which the sweeper deletes.
            for kind in [ObjectKey.Kind.staging, .audio] {
                try? await objects.delete(ObjectKey(kind: kind, tenant: member.tenant, user: member.user, object: object))
            }
        }
    }
}
