/// Passwords, addresses and proofs after sign-up, by the database role `diary_auth`. Each call does the same work for an owner who does not
/// exist: it changes nothing, waits for the disk as the others do, and returns the result of a wrong code (B8).
package protocol CredentialStore: Sendable {
    /// Inserts the code, its mail and the mail's job in one transaction. An hour has at most `codesPerHour` codes of one requester and
    /// purpose, and at most `accountCodesPerHour` of all requesters; otherwise one requester could use up the owner's.
    /// - Parameter claim: stored with the code.
    /// - Returns: false when nothing was written.
    func mailCode(
        _ code: AccountCode, mail: QueuedMail, to owner: Owner, requester: CodeRequester, limits: Limits, claim: KeyClaim?
    ) async throws(DiaryError) -> Bool
    /// Consumes the code and opens a session.
    func signIn(_ code: PresentedCode, of owner: Owner, session: NewSession) async throws(DiaryError) -> Bool
    /// Consumes the code, sets the password, ends every session and every other code of the account, where asked its API tokens too, opens a
    /// session, and queues the mail.
    func reset(
        _ code: PresentedCode, of owner: Owner, passwordPHC: String, endingTokens: Bool, session: NewSession, mail: QueuedMail
    ) async throws(DiaryError) -> Bool
    func credentials(of member: Member, freshSeconds: Int) async throws(DiaryError) -> MemberCredentials
    /// Marks the session as fresh from now.
    func prove(_ member: Member) async throws(DiaryError)
    /// - Parameter claim: stored when the code was consumed.
    func prove(_ member: Member, by code: PresentedCode, claim: KeyClaim?) async throws(DiaryError) -> Bool
    /// Sets the password, ends every session and every code of the account, where asked its API tokens too, opens a session, and queues the
    /// mail.
    /// - Parameter verified: the hash of the password that was verified, or nil where there was none; if it has changed, nothing is
    ///   written.
    /// - Returns: false when the account has no address to sign in with, or its password has changed meanwhile.
    func changePassword(
        _ passwordPHC: String, replacing verified: String?, endingTokens: Bool, by member: Member, session: NewSession, mail: QueuedMail?
    ) async throws(DiaryError) -> Bool
    /// Consumes the code, sets the address that it was sent to as the account's, verified, and queues the mail to the old one.
    /// - Parameter claim: stored when the address was set.
    /// - Returns: false when the code is wrong, or the address meanwhile belongs to another account.
    func changeAddress(
        _ code: PresentedCode, by member: Member, mail: QueuedMail?, requestID: String?, claim: KeyClaim?
    ) async throws(DiaryError) -> Bool
}

/// What a member can authenticate again with.
package struct MemberCredentials: Sendable {
    package var passwordPHC: String?
    /// nil when the account has none.
    package var emailSealed: [UInt8]?
    /// nil when the account has none.
    package var nameSealed: [UInt8]?
    package var addressIsProved: Bool
    /// Whether this session is fresh.
    package var isFresh: Bool

    package init(passwordPHC: String?, emailSealed: [UInt8]?, nameSealed: [UInt8]?, addressIsProved: Bool, isFresh: Bool) {
        self.passwordPHC = passwordPHC
        self.emailSealed = emailSealed
        self.nameSealed = nameSealed
        self.addressIsProved = addressIsProved
        self.isFresh = isFresh
    }
}

extension CredentialStore {
    package func mailCode(
        _ code: AccountCode, mail: QueuedMail, to owner: Owner, requester: CodeRequester, limits: Limits
    ) async throws(DiaryError) -> Bool {
        try await mailCode(code, mail: mail, to: owner, requester: requester, limits: limits, claim: nil)
    }
}
