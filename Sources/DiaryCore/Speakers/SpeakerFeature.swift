import DiaryCrypto

/// Speaker profiles of an account: created, listed, renamed, deleted.
package struct SpeakerFeature: Sendable {
    package let create: CreateSpeaker
    package let rename: RenameSpeaker
    let store: any SpeakerStore
    let keys: DataKeys

    /// Profiles of one account that are not deleted: they are listed on one page.
    package static let most = 500
    /// Unicode code points of a name, as of the name that a recording gives a speaker.
    package static let nameLength = 60

    init(_ ports: FeaturePorts) {
        store = ports.speakers
        keys = ports.memberKeys
        create = CreateSpeaker(
            store: store, keys: keys, serviceKeys: ports.serviceKeys, clock: ports.clock, writes: ports.idempotentWrites)
        rename = RenameSpeaker(store: store, keys: keys)
    }

    /// The oldest first.
    package func list(of member: Member) async throws(DiaryError) -> [SpeakerProfile] {
        let stored = try await store.speakers(of: member)
        let vault = try await keys.vault(of: member)
        return stored.map { vault.open($0) }
    }

    /// Recordings keep its name.
    package func delete(_ id: SpeakerID, by member: Member) async throws(DiaryError) {
        let vault = try await keys.vault(of: member)
        guard try await store.delete(id, keyID: vault.key.id, by: member) else { throw .notFound }
    }
}

extension DiaryFeatures {
    package var speakers: SpeakerFeature { SpeakerFeature(ports) }
}
