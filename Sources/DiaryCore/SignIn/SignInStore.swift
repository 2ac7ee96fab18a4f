package import FoundationEssentials

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

/// The data of an address that sign-in needs.
package struct EmailIdentity: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var passwordPHC: String?
    package var verified: Bool
    package var emailSealed: [UInt8]
    /// Disabled by an administrator: every sign-in is refused.
    package var disabled: Bool = false

    package init(owner: Owner, keyID: UUID, passwordPHC: String?, verified: Bool, emailSealed: [UInt8], disabled: Bool = false) {
        self.owner = owner
        self.keyID = keyID
        self.passwordPHC = passwordPHC
        self.verified = verified
        self.emailSealed = emailSealed
        self.disabled = disabled
    }
}

/// The fields of a sign-up, stored with its code: of several sign-ups with one address, those of the one whose code is used apply.
package struct SignUp: Sendable {
    package var passwordPHC: String
    package var nameSealed: [UInt8]?
    package var timeZone: String = "UTC"
    package var locale: String?
}

/// An account to be inserted. Address and name are sealed; look-up is by the hash.
package struct NewAccount: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var emailHash: [UInt8]
    package var emailSealed: [UInt8]
    package var signUp: SignUp
}

/// A mailed code, hashed.
package struct NewCode: Sendable {
    package var id: UUID
    package var hash: [UInt8]
    /// Keyed hash of the sign-up's own secret.
    package var registrationHash: [UInt8]
    package var lifetimeSeconds: Int
    /// Keyed hash of the network of the client that requested it.
    package var requesterHash: [UInt8]
}

/// A refresh token that a client shows, its successor, and the rules of its grace (decision D8).
package struct Rotation: Sendable {
    package var number: Int
    package var hash: [UInt8]
    package var nextHash: [UInt8]
    package var graceSeconds: Int
    /// Uses within this time after the last counted one are not counted again: a client's own parallel requests.
    package var burstSeconds: Int
    /// Counted uses within the grace.
    package var graceUses: Int
    package var idleSeconds: Int
    package var requestID: String?
}

package enum RotationOutcome: Sendable, Equatable {
    /// The token was the newest; number and hash were replaced by its successor's.
    case rotated(SessionLife)
    /// The token is the newest one's parent and was rotated less than the grace ago: the same successor may be returned again.
    case withinGrace(SessionLife)
    /// The same, but shown too often.
    case tooOften
    /// The parent was shown after its grace: the session has ended.
    case reused
    /// A number before the parent's. It is an ancestor when its derivation reaches this hash at this number.
    case older(newest: Int, hash: [UInt8])
    case refused
}
