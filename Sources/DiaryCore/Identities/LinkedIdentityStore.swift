package import FoundationEssentials

/// The sign-in methods of a member's account, by the database role `diary_api`.
package protocol LinkedIdentityStore: Sendable {
    func identities(of member: Member) async throws(DiaryError) -> [LinkedIdentity]
    /// Never removes the last sign-in method. Queues Apple's for revocation, and deletes an address that no identity proves any more.
    func unlink(_ id: IdentityID, of member: Member, origin: RequestOrigin) async throws(DiaryError) -> UnlinkOutcome
}

package enum UnlinkOutcome: Sendable, Equatable { case unlinked, missing, last }

/// A sign-in method of an account, for its owner.
package struct LinkedIdentity: Sendable, Equatable {
    package var id: IdentityID
    /// nil for sign-in by mail address.
    package var provider: IdentityProvider?
    package var isVerified: Bool
    package var hasPassword: Bool
    package var provesAddress: Bool
    /// Apple's relay does not forward mail at the moment.
    package var isMailStopped: Bool
    package var linkedAt: Date
    /// The account's own for sign-in by mail address, otherwise the one that the provider named.
    package var addressSealed: [UInt8]?

    package init(
        id: IdentityID, provider: IdentityProvider?, isVerified: Bool, hasPassword: Bool, provesAddress: Bool, isMailStopped: Bool,
        linkedAt: Date, addressSealed: [UInt8]?
    ) {
        self.id = id
        self.provider = provider
        self.isVerified = isVerified
        self.hasPassword = hasPassword
        self.provesAddress = provesAddress
        self.isMailStopped = isMailStopped
        self.linkedAt = linkedAt
        self.addressSealed = addressSealed
    }
}

package enum Identities {}
package typealias IdentityID = ID<Identities>

/// A sign-in method as its owner sees it.
package struct IdentityView: Sendable, Equatable {
    package var linked: LinkedIdentity
    package var address: String?
}
