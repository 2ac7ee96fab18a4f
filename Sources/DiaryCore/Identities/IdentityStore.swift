/// Sign-in by a provider, by the database role `diary_auth`: one round trip a call. Each writing call consumes the challenge in its
/// transaction and throws `token_refused` when another request has consumed it.
package protocol IdentityStore: Sendable {
    func issueChallenge(_ hash: [UInt8], tenant: TenantID, lifetimeSeconds: Int) async throws(DiaryError)
    /// - Parameter addressHash: of the address that the token names.
    func find(_ subject: ProviderSubject, addressHash: [UInt8]?, challengeHash: [UInt8]) async throws(DiaryError) -> IdentityLookup
    /// - Returns: false, and nothing written, when the identity is not that account's any more or the account has closed.
    func signIn(_ signIn: ProviderSignIn, update: IdentityUpdate?) async throws(DiaryError) -> Bool
    /// Inserts user, change row, identity and session.
    /// - Returns: false, and nothing written, when the identity meanwhile belongs to an account.
    func register(_ signIn: ProviderSignIn, _ identity: NewIdentity, _ account: NewProviderAccount) async throws(DiaryError) -> Bool
    /// Adds the identity to the account that has its address, verified.
    /// - Returns: false, and nothing written, when the identity meanwhile belongs to an account or the account has another address.
    func join(_ signIn: ProviderSignIn, _ identity: NewIdentity, addressHash: [UInt8]) async throws(DiaryError) -> Bool
    /// The account that a link would be added to. - Throws: `unauthorized` when the session has ended.
    func address(of member: Member) async throws(DiaryError) -> AccountAddress
    /// - Returns: false, and nothing written, when the identity meanwhile belongs to an account.
    func link(_ link: IdentityLink, to member: Member) async throws(DiaryError) -> Bool
    /// - Returns: false, and nothing written, when this one was handled before.
    func handle(_ notice: AppleNotice) async throws(DiaryError) -> Bool
}
