package import FoundationEssentials

@testable package import DiaryCore

/// Providers' ports without a network and without a store: `good` is a token, everything else is none.
package struct StubProviders: ProviderTokens, AppleNotificationReading, IdentityStore, LinkedIdentityStore {
    package init() {}

    package func claims(of answer: ProviderAnswer, audiences: Set<String>, at now: Date) async throws(DiaryError) -> ProviderClaims {
        guard answer.idToken == "good" else { throw DiaryError(.tokenRefused) }
        return ProviderClaims(provider: answer.provider, subject: "s", audience: "a", address: nil, ownsAddress: false)
    }

    package func notification(_ token: String, audiences: Set<String>, at now: Date) async throws(DiaryError) -> AppleNotification {
        guard token == "good" else { throw DiaryError(.tokenRefused) }
        return AppleNotification(
            id: "n", audience: "com.example.diary", kind: .other, subject: "s", address: nil, happenedAt: now, expiresAt: now)
    }

    package func issueChallenge(_ hash: [UInt8], tenant: TenantID, lifetimeSeconds: Int) async throws(DiaryError) {}
    package func find(
        _ subject: ProviderSubject, addressHash: [UInt8]?, challengeHash: [UInt8]
    ) async throws(DiaryError) -> IdentityLookup { IdentityLookup(known: nil, holder: nil, challengeLives: true) }
    package func signIn(_ signIn: ProviderSignIn, update: IdentityUpdate?) async throws(DiaryError) -> Bool { true }
    package func register(
        _ signIn: ProviderSignIn, _ identity: NewIdentity, _ account: NewProviderAccount
    ) async throws(DiaryError) -> Bool { true }
    package func join(_ signIn: ProviderSignIn, _ identity: NewIdentity, addressHash: [UInt8]) async throws(DiaryError) -> Bool { true }
    package func address(of member: Member) async throws(DiaryError) -> AccountAddress {
        AccountAddress(sealed: nil, isProvedOtherwise: false)
    }
    package func link(_ link: IdentityLink, to member: Member) async throws(DiaryError) -> Bool { true }
    package func handle(_ notice: AppleNotice) async throws(DiaryError) -> Bool { true }
    package func identities(of member: Member) async throws(DiaryError) -> [LinkedIdentity] { [] }
    package func unlink(_ id: IdentityID, of member: Member, origin: RequestOrigin) async throws(DiaryError) -> UnlinkOutcome { .missing }
}
