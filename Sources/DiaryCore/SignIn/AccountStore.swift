/// Sign-in, as `diary_auth`: one round trip a call, tenant always named.
package protocol AccountStore: Sendable {
    /// User, change row, identity, code, mail and mail job in one transaction.
    /// - Returns: false, and nothing written, when the address is taken.
    func register(_ account: NewAccount, code: NewCode, mail: QueuedMail) async throws(DiaryError) -> Bool
    /// - Throws: `invalidFields` for a zone that the database does not know.
    func check(timeZone: String) async throws(DiaryError)
    func emailIdentity(_ hash: [UInt8], tenant: TenantID) async throws(DiaryError) -> EmailIdentity?
    /// A further sign-up with an address that waits: one more living code with what that sign-up said, its mail and job, in one transaction.
    /// Refuses (false) when the asker or the address got as many codes in the last hour as they may.
    func issueCode(_ code: NewCode, _ signUp: SignUp, mail: QueuedMail, to owner: Owner, limits: Limits) async throws(DiaryError) -> Bool
    /// A code again for a sign-up that is known by its `registrationHash`, with what that sign-up said.
    /// Refuses (false) when there is no such sign-up, or it, the asker or the address got as many codes in the last hour as they may.
    func reissueCode(_ code: NewCode, mail: QueuedMail, to owner: Owner, limits: Limits) async throws(DiaryError) -> Bool
    /// A mail without a code (the address is already registered); at most `perHour` of its kind.
    func queue(_ mail: QueuedMail, to owner: Owner, perHour: Int) async throws(DiaryError)
    /// Uses the matching living code up; a wrong try counts against the living codes of the same sign-up and ends them at `maxTries`. On success the identity is verified, takes
    /// the code's password, and the account its profile, the person's other codes end, and the session opens: one transaction.
    func verifyEmail(
        _ emailHash: [UInt8], owner: Owner, registrationHash: [UInt8], codeHash: [UInt8], maxTries: Int, session: NewSession
    ) async throws(DiaryError) -> Bool
    /// After a password was verified, which takes time: it must still be the account's.
    /// - Returns: false, and nothing written, when the password has changed meanwhile.
    func openSession(
        _ session: NewSession, for owner: Owner, by verified: String, rehashed: (emailHash: [UInt8], phc: String)?
    ) async throws(DiaryError) -> Bool
    /// Compare-and-set on number and hash, under the session's lock; what came of it is in the account's events, and when the
    /// session has ended with it, mail to the owner is queued in the same transaction.
    func rotate(_ session: SessionID, of owner: Owner, _ rotation: Rotation) async throws(DiaryError) -> RotationOutcome
    /// An ancestor of a session's refresh token was shown: the session ends, the events say why, and mail to the owner is queued.
    func endReused(_ session: SessionID, of owner: Owner, requestID: String?) async throws(DiaryError)
}

extension AccountStore {
    /// The account of a proved address, unless it is disabled.
    func usable(_ email: MailAddress, in tenant: Tenant, _ serviceKeys: ServiceKeys) async throws(DiaryError) -> EmailIdentity? {
        let known = try await emailIdentity(serviceKeys.addressHash(email.normalised, tenant: tenant.id), tenant: tenant.id)
        return known.flatMap { $0.verified && !$0.disabled ? $0 : nil }
    }
}
