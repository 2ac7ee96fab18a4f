package import FoundationEssentials

/// A page of accounts that were searched for unconfirmed sign-ups.
package struct SignUpPage: Sendable, Equatable {
    package struct Place: Sendable, Equatable {
        package var createdAt: Date
        package var user: UserID
    }

    package var abandoned: [Owner]
    /// nil when this was the last page.
    package var next: Place?
}
