/// An identity that a signed-in member adds.
package struct IdentityLink: Sendable {
    package var subject: ProviderSubject
    package var identity: NewIdentity
    package var accountAddressSealed: [UInt8]?
    /// The account's address when this was read. If it has changed meanwhile, this link neither changes nor proves it.
    package var readAgainst: [UInt8]?
    package var challengeHash: [UInt8]
    package var grant: NewAppleGrant?
    package var origin: RequestOrigin
    package var claim: KeyClaim?
}
