package import FoundationEssentials

/// A new account, to be made from an ID token.
package struct NewProviderAccount: Sendable {
    package var keyID: UUID
    package var emailSealed: [UInt8]?
    package var nameSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?
}
