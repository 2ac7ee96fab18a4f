/// What a provider states about a known identity that differs from the stored values. Written at the sign-in.
package struct IdentityUpdate: Sendable, Equatable {
    package var addressSealed: [UInt8]?
    package var provesAddress: Bool
    /// The account's new address, as the provider names it; nil leaves it.
    package var accountAddressSealed: [UInt8]?
    /// The account's address when this was read. If it has changed meanwhile, none of this is written.
    package var readAgainst: [UInt8]?
}
