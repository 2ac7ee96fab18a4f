package import FoundationEssentials

/// An account that is a week old, as the search for unconfirmed sign-ups sees it.
package struct AgedSignUp: Sendable, Equatable {
    package var owner: Owner
    package var createdAt: Date
    /// Nothing of it was ever confirmed, and no code for that still lives.
    package var isAbandoned: Bool

    package init(owner: Owner, createdAt: Date, isAbandoned: Bool) {
        self.owner = owner
        self.createdAt = createdAt
        self.isAbandoned = isAbandoned
    }
}
