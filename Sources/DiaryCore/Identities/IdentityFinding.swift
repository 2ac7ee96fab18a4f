/// The address of an account, sealed, and whether an identity other than the one asked for proves it.
package struct AccountAddress: Sendable, Equatable {
    package var sealed: [UInt8]?
    package var isProvedOtherwise: Bool

    package init(sealed: [UInt8]?, isProvedOtherwise: Bool) {
        self.sealed = sealed
        self.isProvedOtherwise = isProvedOtherwise
    }
}

/// An identity that is somebody's already.
package struct KnownIdentity: Sendable, Equatable {
    package var id: IdentityID
    package var owner: Owner
    /// No way into the account works: it is being deleted, or was disabled.
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

/// The account that signs in with the address a token names.
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
