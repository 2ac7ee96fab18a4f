/// Whose password the hasher runs for.
package enum HasherCaller: Sendable {
    /// A device on which the address has signed in lately, or a member with a session.
    case known
    /// Any other client. However many there are, known callers do not wait for them.
    case unknown
}
