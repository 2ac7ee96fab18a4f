package import FoundationEssentials

@testable package import DiaryCore

extension StubStore: SpeakerStore {
    package func speakers(of member: Member) async throws(DiaryError) -> [StoredSpeakerProfile] { [Stub.speaker] }
    package func speaker(_ id: SpeakerID, of member: Member) async throws(DiaryError) -> StoredSpeakerProfile? {
        id == Stub.speaker.id ? Stub.speaker : nil
    }
    package func create(
        _ profile: NewSpeakerProfile, most: Int, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> SpeakerCreation {
        .created(Stub.speaker(profile.id, SealedColumn(bytes: profile.sealed, version: 1)))
    }
    package func rename(
        _ id: SpeakerID, to name: SealedColumn, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> StoredSpeakerProfile? { Stub.speaker(id, name) }
    package func delete(_ id: SpeakerID, keyID: UUID, by member: Member) async throws(DiaryError) -> Bool { id == Stub.speaker.id }
}

extension Stub {
    /// Its name does not open.
    package static let speaker = speaker(SpeakerID(UUIDv7.make(at: clock.now())), SealedColumn(bytes: [1], version: 1))

    static func speaker(_ id: SpeakerID, _ name: SealedColumn) -> StoredSpeakerProfile {
        StoredSpeakerProfile(
            id: id, sealed: name, createdAt: clock.now(), updatedAt: clock.now(), deletedAt: nil, changeNumber: 1)
    }
}
