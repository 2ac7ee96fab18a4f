import DiaryCrypto

/// Adds a speaker profile. A retry with the same id or the same key gets the first answer.
package struct CreateSpeaker: Sendable {
    let store: any SpeakerStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let clock: WallClock
    let writes: IdempotentWrites

    /// - Parameters:
    ///   - given: by the client.
    ///   - name: is trimmed.
    package func run(
        _ given: SpeakerID?, name: String, key: RequestKey = .none, by member: Member
    ) async throws(DiaryError) -> (value: SpeakerProfile, replayed: Bool) {
        let id = given ?? SpeakerID(UUIDv7.make(at: clock.now()))
        let request = [given?.description, name]
        let (made, repeated) = try await writes.run(.speaker, key, request: request, subject: id.uuid, by: member) {
            claim throws(DiaryError) in
            try await create(id, name, request, claim, by: member)
        } replay: { known throws(DiaryError) in
            guard let stored = try await store.speaker(SpeakerID(known.subject), of: member) else { throw Self.idTaken }
            return Made(profile: try await keys.vault(of: member).open(stored), isRepeated: true)
        }
        return (made.profile, repeated || made.isRepeated)
    }

    private static let idTaken = DiaryError(.speakerIDTaken, fields: [.init("/id", "belongs to another speaker, or to a deleted one")])

    private struct Made: Sendable {
        var profile: SpeakerProfile
        var isRepeated: Bool
    }

    private func create(
        _ id: SpeakerID, _ name: String, _ request: [String?], _ claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> Made {
        let name = SingleLine.trimmed(name)
        guard !name.isEmpty else { throw .invalid("/name", "must not be blank") }
        let vault = try await keys.vault(of: member)
        var canon = CanonicalBytes()
        for text in request { canon.add(text) }
        let profile = NewSpeakerProfile(
            id: id, sealed: try vault.seal(speaker: name, id, version: 1).bytes, keyID: vault.key.id,
            requestHash: HMACSHA256.code(canon.bytes, key: serviceKeys.requestHash))
        switch try await store.create(profile, most: SpeakerFeature.most, claim: claim, by: member) {
        case .created(let stored): return Made(profile: vault.open(stored), isRepeated: false)
        case .replayed(let stored): return Made(profile: vault.open(stored), isRepeated: true)
        case .idTaken: throw Self.idTaken
        case .tooMany: throw DiaryError(.tooManySpeakers)
        }
    }
}
