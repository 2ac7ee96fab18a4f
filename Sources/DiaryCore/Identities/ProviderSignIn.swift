/// What every sign-in by a provider writes: it consumes the challenge, opens the session, stores the code for the worker, and writes the
/// event.
package struct ProviderSignIn: Sendable {
    package var owner: Owner
    package var subject: ProviderSubject
    package var identity: IdentityID
    package var challengeHash: [UInt8]
    package var session: NewSession
    package var grant: NewAppleGrant?
    package var origin: RequestOrigin
}
