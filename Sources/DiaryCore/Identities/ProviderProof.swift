/// A token that passed, and what of it goes to the store.
struct ProviderProof: Sendable {
    let claims: ProviderClaims
    let subject: ProviderSubject
    let addressHash: [UInt8]?
    let challengeHash: [UInt8]
}
