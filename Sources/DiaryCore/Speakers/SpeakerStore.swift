package import FoundationEssentials

/// A profile to be inserted, its name sealed as version 1.
package struct NewSpeakerProfile: Sendable {
    package var id: SpeakerID
    package var sealed: [UInt8]
    package var keyID: UUID
    /// Keyed hash of the request; a retry has the same.
    package var requestHash: [UInt8]
}

package enum SpeakerCreation: Sendable {
    case created(StoredSpeakerProfile)
    /// The id was there already, by the same request.
    case replayed(StoredSpeakerProfile)
    /// The id belongs to another profile, or to one that was deleted.
    case idTaken
    case tooMany
}

/// Speaker profiles, by the database role `diary_api`.
package protocol SpeakerStore: Sendable {
    /// Those that are not deleted, the oldest first.
    func speakers(of member: Member) async throws(DiaryError) -> [StoredSpeakerProfile]
    /// nil for a deleted one, too.
    func speaker(_ id: SpeakerID, of member: Member) async throws(DiaryError) -> StoredSpeakerProfile?
    /// - Parameter claim: stored when the profile is made.
    func create(
        _ profile: NewSpeakerProfile, most: Int, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> SpeakerCreation
    /// - Parameter name: sealed as the version after the one that was read.
    /// - Returns: nil when it has another version, or is gone.
    func rename(_ id: SpeakerID, to name: SealedColumn, keyID: UUID, by member: Member) async throws(DiaryError) -> StoredSpeakerProfile?
    /// It stays as a tombstone, with its name. False when there is no such profile.
    func delete(_ id: SpeakerID, keyID: UUID, by member: Member) async throws(DiaryError) -> Bool
}
