package import FoundationEssentials

/// A member's sessions, by the database role `diary_api`. Ending one writes the event in the same transaction.
package protocol SessionStore: Sendable {
    /// The hundred used most recently.
    func sessions(of member: Member) async throws(DiaryError) -> [StoredSession]
    /// - Returns: false when the member has no such session, or it has ended.
    func end(_ session: SessionID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool
    /// Ends all of the member's sessions, or all but the one of the request.
    func endAll(keepingOwn: Bool, by member: Member, requestID: String?) async throws(DiaryError)
}

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

/// A session as its owner sees it.
package struct SessionView: Sendable, Equatable {
    package var id: SessionID
    package var device: String?
    package var place: String?
    package var createdAt: Date
    package var lastUsedAt: Date
    package var isCurrent: Bool
}

package enum Sessions {}
package typealias SessionID = ID<Sessions>
