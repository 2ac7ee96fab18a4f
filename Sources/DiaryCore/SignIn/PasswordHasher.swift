extension PasswordHasher {
    /// A PHC string, or 503 when too many hashes are queued.
    func phc(of password: String, for caller: HasherCaller) async throws(DiaryError) -> String {
        do { return try await hash(password, for: caller) } catch { throw .hasherBusy }
    }

    /// One run of the hasher, with or without a stored hash (B8).
    func matches(_ password: String, _ phc: String?, for caller: HasherCaller) async throws(DiaryError) -> Bool {
        do { return try await verify(password, against: phc, for: caller) } catch { throw .hasherBusy }
    }
}

extension DiaryError {
    fileprivate static let hasherBusy = DiaryError(.overloaded, retryAfter: 2, cause: "password hasher is busy")
}

package struct HasherBusy: Error, Sendable {
    package init() {}
}

/// argon2id outside the cooperative pool, a few at once. Known callers are served first, and a share of the capacity is theirs alone.
package protocol PasswordHasher: Sendable {
    /// A PHC string.
    func hash(_ password: String, for caller: HasherCaller) async throws(HasherBusy) -> String
    /// Always does the full work; pass `nil` for an account that does not exist or has no password (B8).
    func verify(_ password: String, against phc: String?, for caller: HasherCaller) async throws(HasherBusy) -> Bool
    /// True when the stored parameters are weaker than today's.
    func needsRehash(_ phc: String) -> Bool
}

/// The kind of caller for whom the hasher runs, which decides its share of the hasher's capacity.
package enum HasherCaller: Sendable, Equatable {
    /// A device on which the address has signed in lately, or a member with a session.
    ///
    /// Right passwords cost no budget of guesses, so the hasher bounds the calls of each account, and of each client network where it is known.
    case known(account: [UInt8], network: [UInt8]?)
    /// Any other client. However many there are, known callers do not wait for them.
    case unknown
}

/// The fault of a new password, given words of the account (address, name); nil when it is acceptable.
package typealias PasswordCheck = @Sendable (_ password: String, _ ownWords: [String]) -> String?
