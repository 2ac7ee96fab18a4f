/// Sign-in by a provider, as `diary_auth`: one round trip a call. Each of the writing calls uses the challenge up in its transaction and
/// throws `token_refused` when somebody else has.
package protocol IdentityStore: Sendable {
    func issueChallenge(_ hash: [UInt8], tenant: TenantID, lifetimeSeconds: Int) async throws(DiaryError)
    /// - Parameter addressHash: of the address the token names.
    func find(_ subject: ProviderSubject, addressHash: [UInt8]?, challengeHash: [UInt8]) async throws(DiaryError) -> IdentityFinding
    /// - Returns: false when the identity is not that account's any more.
    func signIn(_ arrival: ProviderSignIn, news: IdentityNews?) async throws(DiaryError) -> Bool
    /// User, change row, identity and session. - Returns: false, and nothing written, when the identity is somebody's by now.
    func register(_ arrival: ProviderSignIn, _ identity: NewIdentity, _ account: NewProviderAccount) async throws(DiaryError) -> Bool
    /// The identity becomes the account's whose verified address it is.
    /// - Returns: false, and nothing written, when the identity is somebody's by now or the address is not that account's any more.
    func join(_ arrival: ProviderSignIn, _ identity: NewIdentity, addressHash: [UInt8]) async throws(DiaryError) -> Bool
    /// The account a link would be added to. - Throws: `unauthorized` when the session has ended.
    func address(of member: Member) async throws(DiaryError) -> AccountAddress
    /// - Returns: false, and nothing written, when the identity is somebody's by now.
    func link(_ link: IdentityLink, to member: Member) async throws(DiaryError) -> Bool
    /// - Returns: false, and nothing written, when this one was handled before.
    func handle(_ notice: AppleNotice) async throws(DiaryError) -> Bool
}
