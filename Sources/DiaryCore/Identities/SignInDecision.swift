/// Whose account a provider's word opens (B13). Accounts are found by the identity; an address alone opens one only when both sides have
/// proved it: the account by a mailed code, the provider by running the mailbox.
enum SignInDecision: Sendable, Equatable {
    case known(KnownIdentity)
    /// The identity becomes one more way into the account whose verified address it is.
    case joins(Owner)
    /// The address signs in to an account here, and the provider cannot say whose it is today.
    case clashes
    /// Nobody enters there.
    case closed
    /// Also when a sign-up by mail waits for its code with this address: nobody has proved it, so its account and its password are no
    /// one's to be led into.
    case new

    init(_ claims: ProviderClaims, _ finding: IdentityFinding) {
        if let known = finding.known {
            self = known.isClosed ? .closed : .known(known)
        } else if let holder = finding.holder, holder.isVerified {
            self = !claims.ownsAddress ? .clashes : holder.isClosed ? .closed : .joins(holder.owner)
        } else {
            self = .new
        }
    }
}
