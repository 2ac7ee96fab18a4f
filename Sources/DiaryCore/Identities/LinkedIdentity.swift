package import FoundationEssentials

/// A way in, for its owner.
package struct LinkedIdentity: Sendable, Equatable {
    package var id: IdentityID
    /// nil is the mail address.
    package var provider: IdentityProvider?
    package var isVerified: Bool
    package var hasPassword: Bool
    package var provesAddress: Bool
    /// Apple's relay forwards nothing at the moment.
    package var isMailStopped: Bool
    package var linkedAt: Date
    /// The account's for the mail address, otherwise what the provider said.
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

package enum UnlinkOutcome: Sendable, Equatable { case unlinked, missing, last }

/// The credentialStore into one's own account, as `diary_api`.
package protocol LinkedIdentityStore: Sendable {
    func identities(of member: Member) async throws(DiaryError) -> [LinkedIdentity]
    /// Never the last way in. Apple's is to be revoked, an address that nobody proves any more is forgotten.
    func unlink(_ id: IdentityID, of member: Member, origin: RequestOrigin) async throws(DiaryError) -> UnlinkOutcome
}
