package import FoundationEssentials

package protocol ProviderTokens: Sendable {
    /// The caller checks that the nonce is valid and is used once.
    /// - Parameter audiences: the app's client ids.
    /// - Throws: `token_refused` for every fault of the token, `dependency_unavailable` when the provider's keys cannot be fetched.
    func claims(of answer: ProviderAnswer, audiences: Set<String>, at now: Date) async throws(DiaryError) -> ProviderClaims
}
