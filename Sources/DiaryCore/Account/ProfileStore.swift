package import FoundationEssentials

/// A member's own account, by the database role `diary_api`.
package protocol ProfileStore: Sendable {
    func profile(of member: Member) async throws(DiaryError) -> StoredProfile
    /// Changes the fields that the patch names.
    /// - Parameters:
    ///   - versions: of which the profile must have one; nil for any.
    ///   - keyID: of the key that sealed name and vocabulary; nil when neither is set.
    func change(
        _ patch: StoredProfilePatch, matching versions: [Int64]?, keyID: UUID?, by member: Member
    ) async throws(DiaryError) -> ProfileChange<StoredProfile>
    /// - Parameter now: whose day (UTC) the usage is of.
    func statistics(of member: Member, at now: Date) async throws(DiaryError) -> AccountStatistics
    /// Newest first.
    func events(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [AuditEvent]
}
