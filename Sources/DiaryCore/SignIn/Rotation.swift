/// A refresh token that a client shows, its successor, and the rules of its grace (decision D8).
package struct Rotation: Sendable {
    package var number: Int
    package var hash: [UInt8]
    package var nextHash: [UInt8]
    package var graceSeconds: Int
    /// Uses within this time after the last counted one are not counted again: a client's own parallel requests.
    package var burstSeconds: Int
    /// Counted uses within the grace.
    package var graceUses: Int
    package var idleSeconds: Int
    package var requestID: String?
}

package enum RotationOutcome: Sendable, Equatable {
    /// The token was the newest; number and hash were replaced by its successor's.
    case rotated(SessionLife)
    /// The token is the newest one's parent and was rotated less than the grace ago: the same successor may be returned again.
    case withinGrace(SessionLife)
    /// The same, but shown too often.
    case tooOften
    /// The parent was shown after its grace: the session has ended.
    case reused
    /// A number before the parent's. It is an ancestor when its derivation reaches this hash at this number.
    case older(newest: Int, hash: [UInt8])
    case refused
}
