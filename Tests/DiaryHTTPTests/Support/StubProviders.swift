import DiaryCore
import DiaryCrypto
import DiaryHTTP
import FoundationEssentials

/// Providers' ports without a network and without a store: `good` is a valid token, every other text is not.
struct StubProviders: ProviderTokens, AppleNotificationReading, IdentityStore, LinkedIdentityStore {
    func claims(of answer: ProviderAnswer, audiences: Set<String>, at now: Date) async throws(DiaryError) -> ProviderClaims {
        guard answer.idToken == "good" else { throw DiaryError(.tokenRefused) }
        return ProviderClaims(provider: answer.provider, subject: "s", audience: "a", address: nil, ownsAddress: false)
    }

    func notification(_ token: String, audiences: Set<String>, at now: Date) async throws(DiaryError) -> AppleNotification {
        guard token == "good" else { throw DiaryError(.tokenRefused) }
        return AppleNotification(
            id: "n", audience: "com.example.diary", kind: .other, subject: "s", address: nil, happenedAt: now, expiresAt: now)
    }

    func issueChallenge(_ hash: [UInt8], tenant: TenantID, lifetimeSeconds: Int) async throws(DiaryError) {}
    func find(
        _ subject: ProviderSubject, addressHash: [UInt8]?, challengeHash: [UInt8]
    ) async throws(DiaryError) -> IdentityFinding { IdentityFinding(known: nil, holder: nil, challengeLives: true) }
    func signIn(_ arrival: ProviderSignIn, news: IdentityNews?) async throws(DiaryError) -> Bool { true }
    func register(
        _ arrival: ProviderSignIn, _ identity: NewIdentity, _ account: NewProviderAccount
    ) async throws(DiaryError) -> Bool { true }
    func join(_ arrival: ProviderSignIn, _ identity: NewIdentity, addressHash: [UInt8]) async throws(DiaryError) -> Bool { true }
    func address(of member: Member) async throws(DiaryError) -> AccountAddress { AccountAddress(sealed: nil, isProvedOtherwise: false) }
    func link(_ link: IdentityLink, to member: Member) async throws(DiaryError) -> Bool { true }
    func handle(_ notice: AppleNotice) async throws(DiaryError) -> Bool { true }
    func identities(of member: Member) async throws(DiaryError) -> [LinkedIdentity] { [] }
    func unlink(_ id: IdentityID, of member: Member, origin: RequestOrigin) async throws(DiaryError) -> UnlinkOutcome { .missing }
}
