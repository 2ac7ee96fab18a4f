/// What is stored for a provider's token before the sign-in is decided.
package struct IdentityLookup: Sendable, Equatable {
    /// The identity that the token names; nil when no account has it.
    package var known: KnownIdentity?
    /// The account that signs in with the token's address; nil when there is none, or the address was not looked for.
    package var holder: AddressHolder?
    /// The challenge was issued by this app, has not expired and is not consumed.
    package var challengeLives: Bool

    package init(known: KnownIdentity?, holder: AddressHolder?, challengeLives: Bool) {
        self.known = known
        self.holder = holder
        self.challengeLives = challengeLives
    }
}
