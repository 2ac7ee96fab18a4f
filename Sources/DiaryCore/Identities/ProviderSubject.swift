/// The user of a token, as keyed hashes.
package struct ProviderSubject: Sendable, Equatable {
    package var tenant: TenantID
    package var provider: IdentityProvider
    package var hash: [UInt8]
}
