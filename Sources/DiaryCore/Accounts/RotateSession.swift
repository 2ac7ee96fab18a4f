import DiaryCrypto

/// Trades a refresh token for its successor (D8). A token that comes again after its grace, or that is an older ancestor of the newest, is held by
/// two: nobody can tell which one is the thief, so the session ends and its owner hears of it (decision 0020).
package struct RotateSession: Sendable {
    let accounts: any AccountStore
    let keys: DataKeys
    let services: ServiceKeys
    let wakeUps: any WakeUps
    let issuer: SessionIssuer

    package init(accounts: any AccountStore, keys: DataKeys, services: ServiceKeys, wakeUps: any WakeUps, issuer: SessionIssuer) {
        self.accounts = accounts
        self.keys = keys
        self.services = services
        self.wakeUps = wakeUps
        self.issuer = issuer
    }

    package func run(_ text: String, from origin: RequestOrigin) async throws(DiaryError) -> SessionTokens {
        guard let presented = RefreshToken(parsing: text) else { throw DiaryError(.refreshRefused) }
        let next = presented.successor(key: services.refreshToken)
        let limits = issuer.limits
        let rotation = Rotation(
            number: Int(presented.number), hash: presented.hash, nextHash: next.hash, graceSeconds: limits.refreshGraceSeconds,
            burstSeconds: limits.refreshBurstSeconds, graceUses: limits.refreshGraceUses, idleSeconds: limits.refreshIdleSeconds,
            requestID: origin.requestID)
        switch try await accounts.rotate(presented.session, of: presented.owner, rotation) {
        case .rotated, .withinGrace:
            try Failpoint.refreshAfterRotate.reach()
            return try issuer.issue(next)
        case .tooOften: throw DiaryError(.rateLimited, retryAfter: limits.refreshBurstSeconds, cause: "refresh grace")
        case .reused: await tell(presented.owner)
        case .older(let newest, let hash):
            if await presented.leads(to: newest, hash, key: services.refreshToken) {
                try await accounts.endReused(presented.session, of: presented.owner, requestID: origin.requestID)
                await tell(presented.owner)
            }
        case .refused: break
        }
        throw DiaryError(.refreshRefused)
    }

    /// By mail, where the account has a proved address. The session has ended already; a mail that cannot be queued changes nothing of that.
    private func tell(_ owner: Owner) async {
        do {
            guard let sealed = try await accounts.provedAddress(of: owner) else { return }
            let vault = try await keys.vault(of: owner)
            let address = String(decoding: try vault.open(sealed, .email, row: owner.user.uuid), as: UTF8.self)
            let mail = try vault.mail(.sessionReused, MailPayload(to: address, code: nil), at: issuer.clock.now())
            try await accounts.queue(mail, to: owner, perHour: issuer.limits.codesPerHour)
            wakeUps.jobCommitted(.mail)
        } catch {}
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
        return try Profile(stored, opened: try await keys.vault(of: member))
    }
}
