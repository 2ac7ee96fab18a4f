package import FoundationEssentials

/// A member's own account, as `diary_api`.
package protocol ProfileStore: Sendable {
    func profile(of member: Member) async throws(DiaryError) -> StoredProfile
    /// Changes the fields that the patch names, and returns the new profile.
    /// - Parameter keyID: of the key that sealed the name; nil when no name is set.
    func change(_ patch: StoredProfilePatch, keyID: UUID?, by member: Member) async throws(DiaryError) -> StoredProfile
    func statistics(of member: Member) async throws(DiaryError) -> AccountStatistics
    /// Newest first.
    func events(before position: EventPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [AuditEvent]
}
