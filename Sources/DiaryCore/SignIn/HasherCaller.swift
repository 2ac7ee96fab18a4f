/// The kind of caller for whom the hasher runs, which decides its share of the hasher's capacity.
package enum HasherCaller: Sendable, Equatable {
    /// A device on which the address has signed in lately, or a member with a session.
    ///
    /// Right passwords cost no budget of guesses, so the hasher bounds the calls of each account, and of each client network where it is known.
    case known(account: [UInt8], network: [UInt8]?)
    /// Any other client. However many there are, known callers do not wait for them.
    case unknown
}
