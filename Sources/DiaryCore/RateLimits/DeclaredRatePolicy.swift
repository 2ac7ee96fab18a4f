/// One limit of the service and what follows from it.
package struct DeclaredRatePolicy: Sendable {
    package enum Subject: Sendable {
        /// A user, on routes that need sign-in.
        case member
        /// A client address (IPv6: its network), on the other routes.
        case address
        /// An account or a mail address, counted by a use case.
        case account
    }

    package let policy: RatePolicy
    package let subject: Subject
    /// What an operator sets for an app to replace it.
    package let setting: TenantSetting?
    /// What is counted.
    package let meaning: String
}
