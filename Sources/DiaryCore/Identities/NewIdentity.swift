/// An identity to be added to an account.
package struct NewIdentity: Sendable {
    package var id: IdentityID
    package var subjectSealed: [UInt8]
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
}

extension Vault.Part {
    /// A provider's subject and address.
    package static let subject = Vault.Part(name: "subject", table: "identities")
    package static let address = Vault.Part(name: "address", table: "identities")
}
