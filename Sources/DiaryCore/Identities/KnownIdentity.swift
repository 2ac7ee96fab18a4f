/// An identity that belongs to an account.
package struct KnownIdentity: Sendable, Equatable {
    package var id: IdentityID
    package var owner: Owner
    /// Sign-in to the account is refused: it is being deleted, or was disabled.
    package var isClosed: Bool = false
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
    package var account: AccountAddress

    package init(
        id: IdentityID, owner: Owner, isClosed: Bool = false, addressSealed: [UInt8]?, provesAddress: Bool, account: AccountAddress
    ) {
        self.id = id
        self.owner = owner
        self.isClosed = isClosed
        self.addressSealed = addressSealed
        self.provesAddress = provesAddress
        self.account = account
    }
}
