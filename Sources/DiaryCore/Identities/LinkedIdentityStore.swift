/// The sign-in methods of a member's account, by the database role `diary_api`.
package protocol LinkedIdentityStore: Sendable {
    func identities(of member: Member) async throws(DiaryError) -> [LinkedIdentity]
    /// Never removes the last sign-in method. Queues Apple's for revocation, and deletes an address that no identity proves any more.
    func unlink(_ id: IdentityID, of member: Member, origin: RequestOrigin) async throws(DiaryError) -> UnlinkOutcome
}

package enum UnlinkOutcome: Sendable, Equatable { case unlinked, missing, last }
