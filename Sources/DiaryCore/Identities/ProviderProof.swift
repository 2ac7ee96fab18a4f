/// A verified token, and what of it is stored.
struct ProviderProof: Sendable {
    let claims: ProviderClaims
    let subject: ProviderSubject
    let addressHash: [UInt8]?
    let challengeHash: [UInt8]
}
