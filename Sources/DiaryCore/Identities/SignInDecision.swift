/// Chooses the account for a verified ID token (B13). Accounts are found by the identity; an address alone opens one only when both sides
/// have proved it: the account by a mailed code, the provider by running the mailbox.
enum SignInDecision: Sendable, Equatable {
    case known(KnownIdentity)
    /// The identity is added to the account that has its address, verified.
    case joins(Owner)
    /// An account signs in with the address, and the provider cannot prove its present owner.
    case clashes
    /// The account is being deleted or is disabled: sign-in is refused.
    case closed
    /// A new account, also when a sign-up by mail with this address is pending: that sign-up is unverified; linking to it would allow
    /// pre-hijacking.
    case new

    init(_ claims: ProviderClaims, _ lookup: IdentityLookup) {
        if let known = lookup.known {
            self = known.isClosed ? .closed : .known(known)
        } else if let holder = lookup.holder, holder.isVerified {
            self = !claims.ownsAddress ? .clashes : holder.isClosed ? .closed : .joins(holder.owner)
        } else {
            self = .new
        }
    }
}
