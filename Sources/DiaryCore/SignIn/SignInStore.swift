/// Sign-in, by the database role `diary_auth`: one round trip a call, tenant always named.
package protocol SignInStore: Sendable {
    /// Inserts user, change row, identity, code, mail and mail job in one transaction.
    /// - Returns: false, and nothing written, when the address is taken.
    func register(_ account: NewAccount, code: NewCode, mail: QueuedMail) async throws(DiaryError) -> Bool
    /// - Throws: `invalidFields` for a zone that the database does not have.
    func check(timeZone: String) async throws(DiaryError)
    func emailIdentity(_ hash: [UInt8], tenant: TenantID) async throws(DiaryError) -> EmailIdentity?
    /// A further sign-up with an unverified address: inserts one more valid code with the fields of that sign-up, its mail and job, in one
    /// transaction. Refuses (false) when the requester or the address has reached its limit of codes in the last hour.
    func issueCode(_ code: NewCode, _ signUp: SignUp, mail: QueuedMail, to owner: Owner, limits: Limits) async throws(DiaryError) -> Bool
    /// Another code for a sign-up that is found by its `registrationHash`, with the fields of that sign-up.
    /// Refuses (false) when there is no such sign-up, or it, the requester or the address has reached its limit of codes in the last hour.
    func reissueCode(_ code: NewCode, mail: QueuedMail, to owner: Owner, limits: Limits) async throws(DiaryError) -> Bool
    /// Queues a mail without a code (the address is already registered); at most `perHour` of its kind.
    func queue(_ mail: QueuedMail, to owner: Owner, perHour: Int) async throws(DiaryError)
    /// Consumes the matching valid code. A wrong try counts against the valid codes of the same sign-up and ends them at `maxTries`. On
    /// success the identity is verified and gets the code's password, the account gets its profile, the user's other codes end, and the
    /// session opens: one transaction.
    func verifyEmail(
        _ emailHash: [UInt8], owner: Owner, registrationHash: [UInt8], codeHash: [UInt8], maxTries: Int, session: NewSession
    ) async throws(DiaryError) -> Bool
    /// Called after a password was verified, which takes time: it must still be the account's.
    /// - Returns: false, and nothing written, when the password has changed meanwhile.
    func openSession(
        _ session: NewSession, for owner: Owner, by verified: String, rehashed: (emailHash: [UInt8], phc: String)?
    ) async throws(DiaryError) -> Bool
    /// Compare-and-set on number and hash, under the session's lock. Writes an event of the result and, when the session ends, queues a
    /// mail to the owner in the same transaction.
    func rotate(_ session: SessionID, of owner: Owner, _ rotation: Rotation) async throws(DiaryError) -> RotationOutcome
    /// Ends a session of whose refresh token an ancestor was shown, writes the event, and queues a mail to the owner.
    func endReused(_ session: SessionID, of owner: Owner, requestID: String?) async throws(DiaryError)
}

extension SignInStore {
    /// The account of a proved address, unless it is disabled.
    func usable(_ email: MailAddress, in tenant: Tenant, _ serviceKeys: ServiceKeys) async throws(DiaryError) -> EmailIdentity? {
        let known = try await emailIdentity(serviceKeys.addressHash(email.normalised, tenant: tenant.id), tenant: tenant.id)
        return known.flatMap { $0.verified && !$0.disabled ? $0 : nil }
    }
}
