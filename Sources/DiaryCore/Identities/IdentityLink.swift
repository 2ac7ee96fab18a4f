/// An identity to be added by its signed-in owner.
package struct IdentityLink: Sendable {
    package var subject: ProviderSubject
    package var identity: NewIdentity
    package var accountAddressSealed: [UInt8]?
    /// The account's address that this was read against; once it is another one, it neither changes nor is proved by this.
    package var readAgainst: [UInt8]?
    package var challengeHash: [UInt8]
    package var grant: NewAppleGrant?
    package var origin: RequestOrigin
}
