package import FoundationEssentials

/// Something that happened to an account. Holds no content: ids, kinds and a time.
package struct AuditEvent: Sendable, Equatable {
    /// Stable strings; stored and shown.
    package enum Kind: String, Sendable, CaseIterable {
        case registered
        case signedIn = "signed_in"
        case sessionRevoked = "session_revoked"
        case sessionsRevoked = "sessions_revoked"
        /// A refresh token was shown again within its grace: an answer was lost, or the token was copied.
        case refreshRepeated = "refresh_repeated"
        /// A refresh token was shown again after its grace: the session ended.
        case refreshReused = "refresh_reused"
        case identityLinked = "identity_linked"
        case identityUnlinked = "identity_unlinked"
        case passwordChanged = "password_changed"
        case passwordReset = "password_reset"
        case addressChanged = "address_changed"
        case exportRequested = "export_requested"
        case exportDownloaded = "export_downloaded"
        /// The mails of an export schedule were ended by the link in one of them.
        case scheduleMailStopped = "schedule_mail_stopped"
        case erasureRequested = "erasure_requested"
        case hostedProcessingAllowed = "hosted_processing_allowed"
        case hostedProcessingWithdrawn = "hosted_processing_withdrawn"
        /// A mail to the address came back, and none is sent there until it is proved again.
        case mailBounced = "mail_bounced"
        /// The provider says that the owner of the address called a mail unwanted.
        case mailComplained = "mail_complained"
        case userDisabled = "user_disabled"
        case userEnabled = "user_enabled"
        /// An API token; the event names it in the place of a session.
        case tokenCreated = "token_created"
        case tokenRevoked = "token_revoked"
    }

    package enum Actor: String, Sendable, CaseIterable { case member, anonymous, admin, provider, service }

    package var id: UUID
    package var at: Date
    package var kind: Kind
    package var actor: Actor
    package var session: SessionID?
    package var requestID: String?

    package init(id: UUID, at: Date, kind: Kind, actor: Actor, session: SessionID?, requestID: String?) {
        self.id = id
        self.at = at
        self.kind = kind
        self.actor = actor
        self.session = session
        self.requestID = requestID
    }
}
