/// The address of an account, sealed, and whether an identity other than the requested one proves it.
package struct AccountAddress: Sendable, Equatable {
    package var sealed: [UInt8]?
    package var isProvedOtherwise: Bool

    package init(sealed: [UInt8]?, isProvedOtherwise: Bool) {
        self.sealed = sealed
        self.isProvedOtherwise = isProvedOtherwise
    }
}

/// An identity that belongs to an account.
package struct KnownIdentity: Sendable, Equatable {
    package var id: IdentityID
    package var owner: Owner
    /// Sign-in to the account is refused: it is being deleted, or was disabled.
    package var isClosed: Bool
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

/// The account whose sign-in address is the one that a token names.
package struct AddressHolder: Sendable, Equatable {
    package var owner: Owner
    package var isVerified: Bool
    package var isClosed: Bool

    package init(owner: Owner, isVerified: Bool, isClosed: Bool = false) {
        self.owner = owner
        self.isVerified = isVerified
        self.isClosed = isClosed
    }
}

package struct IdentityFinding: Sendable, Equatable {
    package var known: KnownIdentity?
    package var holder: AddressHolder?
    package var challengeLives: Bool

    package init(known: KnownIdentity?, holder: AddressHolder?, challengeLives: Bool) {
        self.known = known
        self.holder = holder
        self.challengeLives = challengeLives
    }
}
