package import FoundationEssentials

/// A person about to exist. Address and name are sealed; the hash finds them.
package struct NewAccount: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var emailHash: [UInt8]
    package var emailSealed: [UInt8]
    package var nameSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?
    package var passwordPHC: String

    package init(
        owner: Owner, keyID: UUID, emailHash: [UInt8], emailSealed: [UInt8], nameSealed: [UInt8]?, timeZone: String, locale: String?,
        passwordPHC: String
    ) {
        self.owner = owner
        self.keyID = keyID
        self.emailHash = emailHash
        self.emailSealed = emailSealed
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
        self.passwordPHC = passwordPHC
    }
}

/// A mailed code, hashed.
package struct NewCode: Sendable {
    package var id: UUID
    package var hash: [UInt8]
    /// Keyed hash of the sign-up's own secret.
    package var registrationHash: [UInt8]
    package var lifetimeSeconds: Int

    package init(id: UUID, hash: [UInt8], registrationHash: [UInt8], lifetimeSeconds: Int) {
        self.id = id
        self.hash = hash
        self.registrationHash = registrationHash
        self.lifetimeSeconds = lifetimeSeconds
    }
}

package enum MailKind: String, Sendable, CaseIterable {
    case verificationCode = "verification_code"
    case addressAlreadyRegistered = "address_already_registered"
    case exportReady = "export_ready"
}

/// A mail that waits in the database, its words sealed; the job that sends it is inserted with it.
package struct QueuedMail: Sendable {
    package var id: MailID
    package var kind: MailKind
    package var payload: [UInt8]
    package var keyID: UUID
    package var subject: UUID?

    package init(id: MailID, kind: MailKind, payload: [UInt8], keyID: UUID, subject: UUID?) {
        self.id = id
        self.kind = kind
        self.payload = payload
        self.keyID = keyID
        self.subject = subject
    }
}

/// What sign-in needs to know of an address.
package struct EmailIdentity: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var passwordPHC: String?
    package var verified: Bool
    package var emailSealed: [UInt8]

    package init(owner: Owner, keyID: UUID, passwordPHC: String?, verified: Bool, emailSealed: [UInt8]) {
        self.owner = owner
        self.keyID = keyID
        self.passwordPHC = passwordPHC
        self.verified = verified
        self.emailSealed = emailSealed
    }
}

package struct NewSession: Sendable {
    package var id: SessionID
    package var deviceSealed: [UInt8]?
    package var refreshHash: [UInt8]
    package var idleSeconds: Int
    package var absoluteSeconds: Int

    package init(id: SessionID, deviceSealed: [UInt8]?, refreshHash: [UInt8], idleSeconds: Int, absoluteSeconds: Int) {
        self.id = id
        self.deviceSealed = deviceSealed
        self.refreshHash = refreshHash
        self.idleSeconds = idleSeconds
        self.absoluteSeconds = absoluteSeconds
    }
}

package enum RotationOutcome: Sendable, Equatable {
    /// `previousHash` matched the newest token; number and hash have moved on by one.
    case rotated
    /// The token is the newest one's parent and was rotated less than the grace ago: the same successor may be given again.
    case withinGrace
    case refused
}

/// A profile, for its owner.
package struct StoredProfile: Sendable {
    /// nil for who came by a provider that told none.
    package var emailSealed: [UInt8]?
    package var emailVerified: Bool
    package var nameSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?
    package var createdAt: Date

    package init(emailSealed: [UInt8]?, emailVerified: Bool, nameSealed: [UInt8]?, timeZone: String, locale: String?, createdAt: Date) {
        self.emailSealed = emailSealed
        self.emailVerified = emailVerified
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
        self.createdAt = createdAt
    }
}

/// Sign-in, as `diary_auth`: one round trip a call, tenant always named.
package protocol AccountStore: Sendable {
    /// User, change row, identity, code, mail and mail job in one transaction.
    /// - Returns: false, and nothing written, when the address is taken.
    func register(_ account: NewAccount, code: NewCode, mail: QueuedMail) async throws(DiaryError) -> Bool
    func emailIdentity(_ hash: [UInt8], tenant: TenantID) async throws(DiaryError) -> EmailIdentity?
    /// A further sign-up with an address that waits: one more living code with that sign-up's password, its mail and job, in one transaction.
    /// Refuses (false) when the address got `perHour` codes in the last hour.
    func issueCode(_ code: NewCode, passwordPHC: String, mail: QueuedMail, to owner: Owner, perHour: Int) async throws(DiaryError) -> Bool
    /// A code again for a sign-up that is known by its `registrationHash`, with that sign-up's password.
    /// Refuses (false) when there is no such sign-up or it got `perHour` codes in the last hour.
    func reissueCode(_ code: NewCode, mail: QueuedMail, to owner: Owner, perHour: Int) async throws(DiaryError) -> Bool
    /// A mail without a code (the address is already registered); at most `perHour` of its kind.
    func queue(_ mail: QueuedMail, to owner: Owner, perHour: Int) async throws(DiaryError)
    /// Uses the matching living code up; a wrong try counts against the living codes of the same sign-up and ends them at `maxTries`. On success the identity is verified, takes
    /// the code's password, the person's other codes end, and the session opens: one transaction.
    func verifyEmail(
        _ emailHash: [UInt8], owner: Owner, registrationHash: [UInt8], codeHash: [UInt8], maxTries: Int, session: NewSession
    ) async throws(DiaryError) -> Bool
    func openSession(_ session: NewSession, for owner: Owner, rehashed: (emailHash: [UInt8], phc: String)?) async throws(DiaryError)
    /// Compare-and-set on number and hash.
    func rotate(
        _ session: SessionID, of owner: Owner, presentedNumber: Int, presentedHash: [UInt8], nextHash: [UInt8], graceSeconds: Int,
        idleSeconds: Int
    ) async throws(DiaryError) -> RotationOutcome
}

/// What a member does with their own account, as `diary_api`.
package protocol ProfileStore: Sendable {
    func revokeSession(of member: Member) async throws(DiaryError)
    func profile(of member: Member) async throws(DiaryError) -> StoredProfile
}
