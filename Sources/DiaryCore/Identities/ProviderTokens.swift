package import FoundationEssentials

package protocol ProviderTokens: Sendable {
    /// That the nonce is alive, and used once, is the caller's to hold.
    /// - Parameter audiences: the app's client ids.
    /// - Throws: `token_refused` for whatever is wrong with the token, `dependency_unavailable` when the provider's keys are out of reach.
    func claims(of answer: ProviderAnswer, audiences: Set<String>, at now: Date) async throws(DiaryError) -> ProviderClaims
}
