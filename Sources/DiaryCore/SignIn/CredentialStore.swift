package import FoundationEssentials

/// What a mailed code is for. Stable strings.
package enum CodePurpose: String, Sendable, CaseIterable { case verify, login, reset, address, reauthenticate }

/// A mailed code for an account that exists, hashed. (Codes of a sign-up are `NewCode`.)
package struct AccountCode: Sendable {
    package var id: UUID
    package var purpose: CodePurpose
    package var hash: [UInt8]
    /// Keyed hash of what only the asker was given.
    package var requestHash: [UInt8]
    package var lifetimeSeconds: Int
    /// The address it is mailed to, when that must still be the account's: the mailbox of one that was left opens nothing.
    package var addressHash: [UInt8]?
    /// The address it is to prove, when it is a new one.
    package var newAddress: (hash: [UInt8], sealed: [UInt8])?

    package init(
        id: UUID, purpose: CodePurpose, hash: [UInt8], requestHash: [UInt8], lifetimeSeconds: Int, addressHash: [UInt8]? = nil,
        newAddress: (hash: [UInt8], sealed: [UInt8])? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.hash = hash
        self.requestHash = requestHash
        self.lifetimeSeconds = lifetimeSeconds
        self.addressHash = addressHash
        self.newAddress = newAddress
    }
}

/// A code that came back.
package struct ShownCode: Sendable {
    package var purpose: CodePurpose
    package var hash: [UInt8]
    package var requestHash: [UInt8]
    package var maxTries: Int

    package init(purpose: CodePurpose, hash: [UInt8], requestHash: [UInt8], maxTries: Int) {
        self.purpose = purpose
        self.hash = hash
        self.requestHash = requestHash
        self.maxTries = maxTries
    }
}

/// How a member can prove who they are.
package struct MemberCredentials: Sendable {
    package var passwordPHC: String?
    /// nil when the account has none.
    package var emailSealed: [UInt8]?
    package var addressIsProved: Bool
    /// Whether this session proved who it is less than the asked time ago.
    package var isFresh: Bool

    package init(passwordPHC: String?, emailSealed: [UInt8]?, addressIsProved: Bool, isFresh: Bool) {
        self.passwordPHC = passwordPHC
        self.emailSealed = emailSealed
        self.addressIsProved = addressIsProved
        self.isFresh = isFresh
    }
}

/// Who asks for a code.
package enum CodeAsker: Sendable {
    /// Whose session must live.
    case member(Member)
    /// A keyed hash of a client's network.
    case client([UInt8])

    package var member: Member? { if case .member(let member) = self { member } else { nil } }
    package var hash: [UInt8]? { if case .client(let hash) = self { hash } else { nil } }
}

/// Passwords, addresses and proofs after sign-up, as `diary_auth`. Each call does the same work for an owner who does not exist: it changes
/// nothing, waits for the disk as the others do, and answers that nothing fitted (B8).
package protocol CredentialStore: Sendable {
    /// The code, its mail and the mail's job in one transaction; at most `perHour` codes of the purpose.
    /// At most `codesPerHour` of one asker and purpose, and `accountCodesPerHour` of all, or a foreign could use up the owner's.
    /// - Returns: false when nothing was written.
    func mailCode(
        _ code: AccountCode, mail: QueuedMail, to owner: Owner, asker: CodeAsker, limits: Limits
    ) async throws(DiaryError) -> Bool
    /// Uses the code up and opens a session.
    func signIn(_ code: ShownCode, of owner: Owner, session: NewSession) async throws(DiaryError) -> Bool
    /// Uses the code up: the password is new, every session and every other code of the account has ended, a session opens, the mail waits.
    func reset(
        _ code: ShownCode, of owner: Owner, passwordPHC: String, session: NewSession, mail: QueuedMail
    ) async throws(DiaryError) -> Bool
    func credentials(of member: Member, freshSeconds: Int) async throws(DiaryError) -> MemberCredentials
    /// The session has proved who it is, now.
    func prove(_ member: Member) async throws(DiaryError)
    func prove(_ member: Member, by code: ShownCode) async throws(DiaryError) -> Bool
    /// The password is new, every session and every code of the account has ended, a session opens, the mail waits.
    /// - Parameter verified: the password that was shown, or nil where there was none; another one by now is left alone.
    /// - Returns: false when the account has no address to sign in with, or its password has changed meanwhile.
    func changePassword(
        _ passwordPHC: String, replacing verified: String?, by member: Member, session: NewSession, mail: QueuedMail?
    ) async throws(DiaryError) -> Bool
    /// Uses the code up: the address it was sent to is the account's, proved; the mail (to the old one) waits.
    /// - Returns: false when the code does not fit, or the address has become somebody else's.
    func changeAddress(_ code: ShownCode, by member: Member, mail: QueuedMail?, requestID: String?) async throws(DiaryError) -> Bool
}
