/// Ends an account: from the answer on its tokens are refused, and a worker destroys its key, its objects and its rows (decision 0022).
package struct EraseAccount: Sendable {
    let erasures: any ErasureStore
    let keys: DataKeys
    let hasher: any PasswordHasher
    let guesses: GuessLimit
    let serviceKeys: ServiceKeys
    let limits: Limits
    let clock: WallClock

    /// - Parameter password: the account's; without one the session must be fresh (last ten minutes).
    /// - Throws: `passwordRefused` or `reauthenticationRequired`; nothing is written then.
    package func run(
        password: String?, by member: Member, origin: RequestOrigin
    ) async throws(DiaryError) -> (
        receipt: ErasureReceipt, deletion: Deletion
    ) {
        if let password { try await check(password, member, origin) }
        let (deletion, receipt) = try NewDeletion.of(member.owner, uploadSeconds: limits.uploadURLSeconds, serviceKeys, at: clock.now())
        guard let requestedAt = try await erasures.request(deletion, proved: password != nil, by: member, origin: origin) else {
            throw DiaryError(.reauthenticationRequired)
        }
        keys.evict(member.owner)
        return (receipt, Deletion(requestedAt: requestedAt))
    }

    /// Does the hasher's full work also for an account without a password.
    private func check(_ password: String, _ member: Member, _ origin: RequestOrigin) async throws(DiaryError) {
        let phc = try await erasures.passwordHash(of: member)
        try await guesses.counting(.member(member.owner), from: origin.network) { caller async throws(DiaryError) in
            guard try await hasher.matches(password, phc, for: caller) else { throw DiaryError(.passwordRefused) }
        }
    }
}
