import FoundationEssentials

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
