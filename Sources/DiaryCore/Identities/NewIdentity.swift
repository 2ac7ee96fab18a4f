/// An identity to be added to an account.
package struct NewIdentity: Sendable {
    package var id: IdentityID
    package var subjectSealed: [UInt8]
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
}
