package import FoundationEssentials

/// Sign-in by a provider, by the database role `diary_auth`: one round trip a call. Each writing call consumes the challenge in its
/// transaction and throws `token_refused` when another request has consumed it.
package protocol IdentityStore: Sendable {
    func issueChallenge(_ hash: [UInt8], tenant: TenantID, lifetimeSeconds: Int) async throws(DiaryError)
    /// - Parameter addressHash: of the address that the token names.
    func find(_ subject: ProviderSubject, addressHash: [UInt8]?, challengeHash: [UInt8]) async throws(DiaryError) -> IdentityLookup
    /// - Returns: false, and nothing written, when the identity is not that account's any more or the account has closed.
    func signIn(_ signIn: ProviderSignIn, update: IdentityUpdate?) async throws(DiaryError) -> Bool
    /// Inserts user, change row, identity and session.
    /// - Returns: false, and nothing written, when the identity meanwhile belongs to an account.
    func register(_ signIn: ProviderSignIn, _ identity: NewIdentity, _ account: NewProviderAccount) async throws(DiaryError) -> Bool
    /// Adds the identity to the account that has its address, verified.
    /// - Returns: false, and nothing written, when the identity meanwhile belongs to an account or the account has another address.
    func join(_ signIn: ProviderSignIn, _ identity: NewIdentity, addressHash: [UInt8]) async throws(DiaryError) -> Bool
    /// The account that a link would be added to. - Throws: `unauthorized` when the session has ended.
    func address(of member: Member) async throws(DiaryError) -> AccountAddress
    /// - Returns: false, and nothing written, when the identity meanwhile belongs to an account.
    func link(_ link: IdentityLink, to member: Member) async throws(DiaryError) -> Bool
    /// - Returns: false, and nothing written, when this one was handled before.
    func handle(_ notice: AppleNotice) async throws(DiaryError) -> Bool
}

/// What is stored for a provider's token before the sign-in is decided.
package struct IdentityLookup: Sendable, Equatable {
    /// The identity that the token names; nil when no account has it.
    package var known: KnownIdentity?
    /// The account that signs in with the token's address; nil when there is none, or the address was not looked for.
    package var holder: AddressHolder?
    /// The challenge was issued by this app, has not expired and is not consumed.
    package var challengeLives: Bool

    package init(known: KnownIdentity?, holder: AddressHolder?, challengeLives: Bool) {
        self.known = known
        self.holder = holder
        self.challengeLives = challengeLives
    }
}

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

/// The account whose sign-in address is the one that a token names.
package struct AddressHolder: Sendable, Equatable {
    package var owner: Owner
    package var isVerified: Bool
    package var isClosed: Bool = false

    package init(owner: Owner, isVerified: Bool, isClosed: Bool = false) {
        self.owner = owner
        self.isVerified = isVerified
        self.isClosed = isClosed
    }
}

/// The address of an account, sealed, and whether an identity other than the requested one proves it.
package struct AccountAddress: Sendable, Equatable {
    package var sealed: [UInt8]?
    package var isProvedOtherwise: Bool

    package init(sealed: [UInt8]?, isProvedOtherwise: Bool) {
        self.sealed = sealed
        self.isProvedOtherwise = isProvedOtherwise
    }
}

/// The user of a token, as keyed hashes.
package struct ProviderSubject: Sendable, Equatable {
    package var tenant: TenantID
    package var provider: IdentityProvider
    package var hash: [UInt8]
}

/// What every sign-in by a provider writes: it consumes the challenge, opens the session, stores the code for the worker, and writes the
/// event.
package struct ProviderSignIn: Sendable {
    package var owner: Owner
    package var subject: ProviderSubject
    package var identity: IdentityID
    package var challengeHash: [UInt8]
    package var session: NewSession
    package var grant: NewAppleGrant?
    package var origin: RequestOrigin
}

/// A new account, to be made from an ID token.
package struct NewProviderAccount: Sendable {
    package var keyID: UUID
    package var emailSealed: [UInt8]?
    package var nameSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?
}

/// An identity to be added to an account.
package struct NewIdentity: Sendable {
    package var id: IdentityID
    package var subjectSealed: [UInt8]
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
}

extension Vault.Part {
    /// A provider's subject and address.
    package static let subject = Vault.Part(name: "subject", table: "identities")
    package static let address = Vault.Part(name: "address", table: "identities")
}

/// What a provider states about a known identity that differs from the stored values. Written at the sign-in.
package struct IdentityUpdate: Sendable, Equatable {
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
    /// The account's new address, as the provider names it; nil leaves it.
    package var accountAddressSealed: [UInt8]?
    /// The account's address when this was read. If it has changed meanwhile, none of this is written.
    package var readAgainst: [UInt8]?
}

/// An identity that a signed-in member adds.
package struct IdentityLink: Sendable {
    package var subject: ProviderSubject
    package var identity: NewIdentity
    package var accountAddressSealed: [UInt8]?
    /// The account's address when this was read. If it has changed meanwhile, this link neither changes nor proves it.
    package var readAgainst: [UInt8]?
    package var challengeHash: [UInt8]
    package var grant: NewAppleGrant?
    package var origin: RequestOrigin
    package var claim: KeyClaim?
}
