import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// Issues the nonce that a provider's token must contain (B4). It is stored hashed and valid once.
package struct IssueChallenge: Sendable {
    package struct Challenge: Sendable {
        package let nonce: String
        package let expiresAt: Date
    }

    let identities: any IdentityStore
    let serviceKeys: ServiceKeys
    let limits: Limits
    let clock: WallClock

    package func run(in tenant: Tenant) async throws(DiaryError) -> Challenge {
        let nonce = Base64URL.encode(SecureRandom.bytes(32))
        try await identities.issueChallenge(
            serviceKeys.challengeHash(nonce, tenant: tenant.id), tenant: tenant.id, lifetimeSeconds: limits.challengeSeconds)
        return Challenge(nonce: nonce, expiresAt: clock.now().addingTimeInterval(Double(limits.challengeSeconds)))
    }
}
