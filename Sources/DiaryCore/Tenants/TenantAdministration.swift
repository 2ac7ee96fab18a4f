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
        /// One session of an account, or all.
        case sessionsRevoked = "sessions_revoked"
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
    package var name: String?
    package var mailFromName: String?
    package var mailFromAddress: String?
    /// Settings to set, and settings to remove.
    package var configured: TenantConfiguration
    package var unset: [String]
    package var suspended: Bool?

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

/// What `diary tenant` does, as `diary_admin`. Every change is recorded with its operator.
package protocol TenantAdministration: Sendable {
    /// - Returns: false when the slug is taken.
    func create(_ tenant: Tenant, by operator: String) async throws(DiaryError) -> Bool
    /// - Returns: the tenant as it is now; nil when there is no such app.
    func change(_ slug: String, _ change: TenantChange, _ kind: TenantAct.Kind, by operator: String) async throws(DiaryError) -> Tenant?
    func all() async throws(DiaryError) -> [Tenant]
    /// Newest first.
    func acts(on slug: String, limit: Int) async throws(DiaryError) -> [TenantAct]
    /// Replaces the client ids of the providers that are given.
    /// - Returns: the tenant as it is now; nil when there is none of this slug.
    func setClientIDs(apple: Set<String>?, google: Set<String>?, of slug: String, by operator: String) async throws(DiaryError) -> Tenant?
}
