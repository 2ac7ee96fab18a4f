package import FoundationEssentials

/// A person about to exist. Address and name are sealed; the hash finds them.
package struct NewAccount: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var emailHash: [UInt8]
    package var emailSealed: [UInt8]
    package var signUp: SignUp

    package init(owner: Owner, keyID: UUID, emailHash: [UInt8], emailSealed: [UInt8], signUp: SignUp) {
        self.owner = owner
        self.keyID = keyID
        self.emailHash = emailHash
        self.emailSealed = emailSealed
        self.signUp = signUp
    }
}

/// A mailed code, hashed.
package struct NewCode: Sendable {
    package var id: UUID
    package var hash: [UInt8]
    /// Keyed hash of the sign-up's own secret.
    package var registrationHash: [UInt8]
    package var lifetimeSeconds: Int
    /// Keyed hash of the client's network that asked for it.
    package var askerHash: [UInt8]

    package init(id: UUID, hash: [UInt8], registrationHash: [UInt8], lifetimeSeconds: Int, askerHash: [UInt8]) {
        self.id = id
        self.hash = hash
        self.registrationHash = registrationHash
        self.lifetimeSeconds = lifetimeSeconds
        self.askerHash = askerHash
    }
}

/// What a sign-up says of its account. It waits beside the code: of several sign-ups with one address the one whose code comes back counts.
package struct SignUp: Sendable {
    package var passwordPHC: String
    package var nameSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?

    package init(passwordPHC: String, nameSealed: [UInt8]? = nil, timeZone: String = "UTC", locale: String? = nil) {
        self.passwordPHC = passwordPHC
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
    }
}

package enum MailKind: String, Sendable, CaseIterable {
    case verificationCode = "verification_code"
    case addressAlreadyRegistered = "address_already_registered"
    case exportReady = "export_ready"
    case signInCode = "sign_in_code"
    case resetCode = "reset_code"
    case addressCode = "address_code"
    case reauthenticationCode = "reauthentication_code"
    case sessionReused = "session_reused"
    case passwordChanged = "password_changed"
    case addressChanged = "address_changed"
    case identityLinked = "identity_linked"
    case identityUnlinked = "identity_unlinked"
}

/// A mail that waits in the database, its words sealed; the job that sends it is inserted with it.
package struct QueuedMail: Sendable {
    package var id: MailID
    package var kind: MailKind
    package var payload: [UInt8]
    package var keyID: UUID
    package var subject: UUID?
    /// Of a mail that says nothing but its kind, instead of a payload: the account's address, sealed as it is there.
    package var addressSealed: [UInt8]?

    package init(id: MailID, kind: MailKind, payload: [UInt8], keyID: UUID, subject: UUID?, addressSealed: [UInt8]? = nil) {
        self.id = id
        self.kind = kind
        self.payload = payload
        self.keyID = keyID
        self.subject = subject
        self.addressSealed = addressSealed
    }
}

/// What sign-in needs to know of an address.
package struct EmailIdentity: Sendable {
    package var owner: Owner
    package var keyID: UUID
    package var passwordPHC: String?
    package var verified: Bool
    package var emailSealed: [UInt8]
    /// By an administrator: no way in works.
    package var disabled: Bool

    package init(owner: Owner, keyID: UUID, passwordPHC: String?, verified: Bool, emailSealed: [UInt8], disabled: Bool = false) {
        self.owner = owner
        self.keyID = keyID
        self.passwordPHC = passwordPHC
        self.verified = verified
        self.emailSealed = emailSealed
        self.disabled = disabled
    }
}

package struct NewSession: Sendable {
    package var id: SessionID
    package var deviceSealed: [UInt8]?
    package var placeSealed: [UInt8]?
    package var refreshHash: [UInt8]
    package var idleSeconds: Int
    package var absoluteSeconds: Int
    /// Of the request that opens it, for the event.
    package var requestID: String?

    package init(
        id: SessionID, deviceSealed: [UInt8]?, placeSealed: [UInt8]? = nil, refreshHash: [UInt8], idleSeconds: Int, absoluteSeconds: Int,
        requestID: String? = nil
    ) {
        self.id = id
        self.deviceSealed = deviceSealed
        self.placeSealed = placeSealed
        self.refreshHash = refreshHash
        self.idleSeconds = idleSeconds
        self.absoluteSeconds = absoluteSeconds
        self.requestID = requestID
    }
}

/// A refresh token that somebody shows, the successor that it leads to, and the rules of its grace (D8).
package struct Rotation: Sendable {
    package var number: Int
    package var hash: [UInt8]
    package var nextHash: [UInt8]
    package var graceSeconds: Int
    /// Uses within this time of the one counted last are one use: a client's own parallel requests.
    package var burstSeconds: Int
    /// Counted uses within the grace.
    package var graceUses: Int
    package var idleSeconds: Int
    package var requestID: String?

    package init(
        number: Int, hash: [UInt8], nextHash: [UInt8], graceSeconds: Int, burstSeconds: Int, graceUses: Int, idleSeconds: Int,
        requestID: String?
    ) {
        self.number = number
        self.hash = hash
        self.nextHash = nextHash
        self.graceSeconds = graceSeconds
        self.burstSeconds = burstSeconds
        self.graceUses = graceUses
        self.idleSeconds = idleSeconds
        self.requestID = requestID
    }
}

package enum RotationOutcome: Sendable, Equatable {
    /// The token was the newest; number and hash have moved on by one.
    case rotated
    /// The token is the newest one's parent and was rotated less than the grace ago: the same successor may be given again.
    case withinGrace
    /// The same, but it came too often.
    case tooOften
    /// The parent came after its grace: the session has ended.
    case reused
    /// A number before the parent's. Whether it is an ancestor tells what it leads to: at this number, this hash.
    case older(newest: Int, hash: [UInt8])
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
    package var preferences: Preferences

    package init(
        emailSealed: [UInt8]?, emailVerified: Bool, nameSealed: [UInt8]?, timeZone: String, locale: String?, createdAt: Date,
        preferences: Preferences = Preferences()
    ) {
        self.emailSealed = emailSealed
        self.emailVerified = emailVerified
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
        self.createdAt = createdAt
        self.preferences = preferences
    }
}

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

/// What a member does with their own account, as `diary_api`.
package protocol ProfileStore: Sendable {
    func profile(of member: Member) async throws(DiaryError) -> StoredProfile
    /// Changes what the patch names, and gives the profile as it is then.
    /// - Parameter keyID: of the key that sealed the name; nil when no name is set.
    func change(_ patch: StoredProfilePatch, keyID: UUID?, by member: Member) async throws(DiaryError) -> StoredProfile
    func statistics(of member: Member) async throws(DiaryError) -> AccountStatistics
    /// Newest first.
    func events(before position: EventPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [AuditEvent]
}
