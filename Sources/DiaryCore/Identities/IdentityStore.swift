package import FoundationEssentials

/// Whom a token speaks of, in keyed hashes.
package struct ProviderSubject: Sendable, Equatable {
    package var tenant: TenantID
    package var provider: IdentityProvider
    package var hash: [UInt8]

    package init(tenant: TenantID, provider: IdentityProvider, hash: [UInt8]) {
        self.tenant = tenant
        self.provider = provider
        self.hash = hash
    }
}

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

/// An Apple authorization code to be kept for the worker.
package struct NewAppleGrant: Sendable {
    package var clientID: String
    package var codeSealed: [UInt8]

    package init(clientID: String, codeSealed: [UInt8]) {
        self.clientID = clientID
        self.codeSealed = codeSealed
    }
}

/// An identity about to be somebody's.
package struct NewIdentity: Sendable {
    package var id: IdentityID
    package var subjectSealed: [UInt8]
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool

    package init(id: IdentityID, subjectSealed: [UInt8], addressSealed: [UInt8]?, provesAddress: Bool) {
        self.id = id
        self.subjectSealed = subjectSealed
        self.addressSealed = addressSealed
        self.provesAddress = provesAddress
    }
}

/// What a known identity's provider says differently from last time.
package struct IdentityNews: Sendable, Equatable {
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
    /// The account's address follows the provider; nil leaves it.
    package var accountAddressSealed: [UInt8]?
    /// The account's address that this was read against; once it is another one, nothing of this is written.
    package var readAgainst: [UInt8]?

    package init(addressSealed: [UInt8]?, provesAddress: Bool, accountAddressSealed: [UInt8]?, readAgainst: [UInt8]?) {
        self.addressSealed = addressSealed
        self.provesAddress = provesAddress
        self.accountAddressSealed = accountAddressSealed
        self.readAgainst = readAgainst
    }
}

/// What every sign-in by a provider writes: the challenge is used up, the session opens, the code waits for the worker, the event is noted.
package struct ProviderSignIn: Sendable {
    package var owner: Owner
    package var subject: ProviderSubject
    package var identity: IdentityID
    package var challengeHash: [UInt8]
    package var session: NewSession
    package var grant: NewAppleGrant?
    package var origin: RequestOrigin

    package init(
        owner: Owner, subject: ProviderSubject, identity: IdentityID, challengeHash: [UInt8], session: NewSession, grant: NewAppleGrant?,
        origin: RequestOrigin
    ) {
        self.owner = owner
        self.subject = subject
        self.identity = identity
        self.challengeHash = challengeHash
        self.session = session
        self.grant = grant
        self.origin = origin
    }
}

/// A person about to exist by a provider's word.
package struct NewProviderAccount: Sendable {
    package var keyID: UUID
    package var emailSealed: [UInt8]?
    package var nameSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?

    package init(keyID: UUID, emailSealed: [UInt8]?, nameSealed: [UInt8]?, timeZone: String, locale: String?) {
        self.keyID = keyID
        self.emailSealed = emailSealed
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
    }
}

/// An identity to be added by its signed-in owner.
package struct IdentityLink: Sendable {
    package var subject: ProviderSubject
    package var identity: NewIdentity
    package var accountAddressSealed: [UInt8]?
    /// The account's address that this was read against; once it is another one, it neither changes nor is proved by this.
    package var readAgainst: [UInt8]?
    package var challengeHash: [UInt8]
    package var grant: NewAppleGrant?
    package var origin: RequestOrigin

    package init(
        subject: ProviderSubject, identity: NewIdentity, accountAddressSealed: [UInt8]?, readAgainst: [UInt8]?, challengeHash: [UInt8],
        grant: NewAppleGrant?, origin: RequestOrigin
    ) {
        self.subject = subject
        self.identity = identity
        self.accountAddressSealed = accountAddressSealed
        self.readAgainst = readAgainst
        self.challengeHash = challengeHash
        self.grant = grant
        self.origin = origin
    }
}

/// A notification of Apple's, for one app.
package struct AppleNotice: Sendable {
    package var subject: ProviderSubject
    package var hash: [UInt8]
    package var kind: AppleNotification.Kind
    package var happenedAt: Date
    package var expiresAt: Date
    package var origin: RequestOrigin

    package init(
        subject: ProviderSubject, hash: [UInt8], kind: AppleNotification.Kind, happenedAt: Date, expiresAt: Date, origin: RequestOrigin
    ) {
        self.subject = subject
        self.hash = hash
        self.kind = kind
        self.happenedAt = happenedAt
        self.expiresAt = expiresAt
        self.origin = origin
    }
}

/// Sign-in by a provider, as `diary_auth`: one round trip a call. Each of the writing calls uses the challenge up in its transaction and
/// throws `token_refused` when somebody else has.
package protocol IdentityStore: Sendable {
    func issueChallenge(_ hash: [UInt8], tenant: TenantID, lifetimeSeconds: Int) async throws(DiaryError)
    /// - Parameter addressHash: of the address the token names.
    func find(_ subject: ProviderSubject, addressHash: [UInt8]?, challengeHash: [UInt8]) async throws(DiaryError) -> IdentityFinding
    /// - Returns: false when the identity is not that account's any more.
    func signIn(_ arrival: ProviderSignIn, news: IdentityNews?) async throws(DiaryError) -> Bool
    /// User, change row, identity and session. - Returns: false, and nothing written, when the identity is somebody's by now.
    func register(_ arrival: ProviderSignIn, _ identity: NewIdentity, _ account: NewProviderAccount) async throws(DiaryError) -> Bool
    /// The identity becomes the account's whose verified address it is.
    /// - Returns: false, and nothing written, when the identity is somebody's by now or the address is not that account's any more.
    func join(_ arrival: ProviderSignIn, _ identity: NewIdentity, addressHash: [UInt8]) async throws(DiaryError) -> Bool
    /// The account a link would be added to. - Throws: `unauthorized` when the session has ended.
    func address(of member: Member) async throws(DiaryError) -> AccountAddress
    /// - Returns: false, and nothing written, when the identity is somebody's by now.
    func link(_ link: IdentityLink, to member: Member) async throws(DiaryError) -> Bool
    /// - Returns: false, and nothing written, when this one was handled before.
    func handle(_ notice: AppleNotice) async throws(DiaryError) -> Bool
}

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
