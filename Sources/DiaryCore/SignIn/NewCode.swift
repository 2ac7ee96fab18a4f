package import FoundationEssentials

/// A mailed code, hashed.
package struct NewCode: Sendable {
    package var id: UUID
    package var hash: [UInt8]
    /// Keyed hash of the sign-up's own secret.
    package var registrationHash: [UInt8]
    package var lifetimeSeconds: Int
    /// Keyed hash of the network of the client that requested it.
    package var requesterHash: [UInt8]
}
