package import FoundationEssentials

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
