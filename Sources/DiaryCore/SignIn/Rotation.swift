/// A refresh token that somebody shows, the successor that it leads to, and the rules of its grace (decision D8).
package struct Rotation: Sendable {
    package var number: Int
    package var hash: [UInt8]
    package var nextHash: [UInt8]
    package var graceSeconds: Int
    /// Uses within this time of the one counted last are one use: a client's own parallel requests.
    package var burstSeconds: Int
    /// Counted uses within the grace.
    package var graceUses: Int
    package var idleSeconds: Int
    package var requestID: String?
}

package enum RotationOutcome: Sendable, Equatable {
    /// The token was the newest; number and hash have moved on by one.
    case rotated
    /// The token is the newest one's parent and was rotated less than the grace ago: the same successor may be given again.
    case withinGrace
    /// The same, but it came too often.
    case tooOften
    /// The parent came after its grace: the session has ended.
    case reused
    /// A number before the parent's. Whether it is an ancestor tells what it leads to: at this number, this hash.
    case older(newest: Int, hash: [UInt8])
    case refused
}
