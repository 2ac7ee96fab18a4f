package import FoundationEssentials

/// An account that an operator makes. Its address counts as verified, and address and name are sealed under its data key.
package struct AdministeredAccount: Sendable {
    package var owner: Owner
    package var keyID: UUID
    /// `ServiceKeys.addressHash`.
    package var addressHash: [UInt8]
    package var addressSealed: [UInt8]
    package var nameSealed: [UInt8]?
    package var passwordPHC: String
    package var timeZone: String

    package init(
        owner: Owner, keyID: UUID, addressHash: [UInt8], addressSealed: [UInt8], nameSealed: [UInt8]?, passwordPHC: String, timeZone: String
    ) {
        self.owner = owner
        self.keyID = keyID
        self.addressHash = addressHash
        self.addressSealed = addressSealed
        self.nameSealed = nameSealed
        self.passwordPHC = passwordPHC
        self.timeZone = timeZone
    }
}

/// What an administrator may see of an API token: no name.
package struct APITokenOverview: Sendable, Equatable {
    package var id: APITokenID
    package var scopes: [String]
    package var createdAt: Date
    package var expiresAt: Date
    package var lastUsedAt: Date?

    package init(id: APITokenID, scopes: [String], createdAt: Date, expiresAt: Date, lastUsedAt: Date?) {
        self.id = id
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }
}
