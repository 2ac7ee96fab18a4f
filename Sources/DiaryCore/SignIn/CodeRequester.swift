/// The requester of a code.
package enum CodeRequester: Sendable {
    /// Its session must not have ended.
    case member(Member)
    /// A keyed hash of a client's network.
    case client([UInt8])

    package var member: Member? { if case .member(let member) = self { member } else { nil } }
    package var hash: [UInt8]? { if case .client(let hash) = self { hash } else { nil } }
}
