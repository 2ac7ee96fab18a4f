import DiaryCrypto

/// Trades a refresh token for its successor (D8).
package struct RotateSession: Sendable {
    let accounts: any AccountStore
    let services: ServiceKeys
    let issuer: SessionIssuer

    package init(accounts: any AccountStore, services: ServiceKeys, issuer: SessionIssuer) {
        self.accounts = accounts
        self.services = services
        self.issuer = issuer
    }

    package func run(_ text: String) async throws(DiaryError) -> SessionTokens {
        guard let presented = RefreshToken(parsing: text) else { throw DiaryError(.refreshRefused) }
        let next = presented.successor(key: services.refreshToken)
        let outcome = try await accounts.rotate(
            presented.session, of: presented.owner, presentedNumber: Int(presented.number), presentedHash: presented.hash,
            nextHash: next.hash,
            graceSeconds: issuer.limits.refreshGraceSeconds, idleSeconds: issuer.limits.refreshIdleSeconds)
        guard outcome != .refused else { throw DiaryError(.refreshRefused) }
        try Failpoint.refreshAfterRotate.reach()
        return try issuer.issue(next)
    }
}

/// Ends the session: its access and refresh tokens are refused from the next request on (B15).
package struct SignOut: Sendable {
    let profiles: any ProfileStore

    package init(profiles: any ProfileStore) { self.profiles = profiles }

    package func run(_ member: Member) async throws(DiaryError) {
        try await profiles.revokeSession(of: member)
    }
}

/// The account, for its owner.
package struct Profile: Sendable {
    package var email: String?
    package var stored: StoredProfile
    package var name: String?

    package init(email: String?, stored: StoredProfile, name: String?) {
        self.email = email
        self.stored = stored
        self.name = name
    }
}

package struct ReadProfile: Sendable {
    let profiles: any ProfileStore
    let keys: DataKeys

    package init(profiles: any ProfileStore, keys: DataKeys) {
        self.profiles = profiles
        self.keys = keys
    }

    package func run(_ member: Member) async throws(DiaryError) -> Profile {
        let stored = try await profiles.profile(of: member)
        let vault = try await keys.vault(of: member)
        let email = try stored.emailSealed.map { sealed throws(DiaryError) in
            String(decoding: try vault.open(sealed, .email, row: member.user.uuid), as: UTF8.self)
        }
        let name = try stored.nameSealed.map { sealed throws(DiaryError) in
            String(decoding: try vault.open(sealed, .name, row: member.user.uuid), as: UTF8.self)
        }
        return Profile(email: email, stored: stored, name: name)
    }
}
