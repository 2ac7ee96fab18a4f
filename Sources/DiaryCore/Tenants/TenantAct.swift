package import FoundationEssentials

/// One change by an operator to an app, or to an account of it; the account is not named.
package struct TenantAct: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case created, changed, suspended, resumed, exported
        case erasureRequested = "erasure_requested"
        case erased
        case userDisabled = "user_disabled"
        case userEnabled = "user_enabled"
        case userErased = "user_erased"
        /// Of an account, by an administrator.
        case exportRequested = "export_requested"
        case userCreated = "user_created"
        /// One session of an account, or all.
        case sessionsRevoked = "sessions_revoked"
        /// One API token of an account, or all.
        case tokensRevoked = "tokens_revoked"
        /// Of the app, or of all apps.
        case workPaused = "work_paused"
        case workResumed = "work_resumed"
        /// Jobs that had failed permanently, or waited for a later time.
        case jobsRetried = "jobs_retried"
        /// Mail to an address is sent again.
        case mailSuppressionLifted = "mail_suppression_lifted"
    }

    package var at: Date
    package var kind: Kind
    /// Names of the settings that changed.
    package var settings: [String]
    package var `operator`: String

    package init(at: Date, kind: Kind, settings: [String], operator: String) {
        self.at = at
        self.kind = kind
        self.settings = settings
        self.operator = `operator`
    }
}

/// A change of an app; nil leaves a field.
package struct TenantChange: Sendable {
    package var name: String? = nil
    package var mailFromName: String? = nil
    package var mailFromAddress: String? = nil
    /// Settings to set, and settings to remove.
    package var configured: TenantConfiguration = TenantConfiguration()
    package var unset: [String] = []
    package var suspended: Bool? = nil

    package init(
        name: String? = nil, mailFromName: String? = nil, mailFromAddress: String? = nil,
        configured: TenantConfiguration = TenantConfiguration(), unset: [String] = [], suspended: Bool? = nil
    ) {
        self.name = name
        self.mailFromName = mailFromName
        self.mailFromAddress = mailFromAddress
        self.configured = configured
        self.unset = unset
        self.suspended = suspended
    }
}
