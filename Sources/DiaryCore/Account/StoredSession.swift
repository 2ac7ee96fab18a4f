package import FoundationEssentials

/// A session that has not ended, for its owner. Device and place are sealed.
package struct StoredSession: Sendable {
    package var id: SessionID
    package var deviceSealed: [UInt8]?
    package var placeSealed: [UInt8]?
    package var createdAt: Date
    /// When its refresh token was rotated last.
    package var lastUsedAt: Date
    package var provedAt: Date

    package init(id: SessionID, deviceSealed: [UInt8]?, placeSealed: [UInt8]?, createdAt: Date, lastUsedAt: Date, provedAt: Date) {
        self.id = id
        self.deviceSealed = deviceSealed
        self.placeSealed = placeSealed
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.provedAt = provedAt
    }
}

extension Vault.Part {
    package static let device = Vault.Part(name: "device", table: "sessions")
    package static let place = Vault.Part(name: "place", table: "sessions")
}
