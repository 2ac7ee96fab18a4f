/// Exchanges a refresh token for its successor (decision D8). A token that is shown again after its grace, or is an older ancestor of the
/// newest, is held by two parties. The legitimate one cannot be identified, so the session ends and its owner is notified (decision 0020).
package struct RotateSession: Sendable {
    let accounts: any SignInStore
    let serviceKeys: ServiceKeys
    let tenants: any TenantStore
    let jobSignals: any JobSignals
    let issuer: SessionIssuer

    package func run(_ text: String, from origin: RequestOrigin) async throws(DiaryError) -> SessionTokens {
        guard let presented = RefreshToken(parsing: text), let app = try await tenants.tenant(id: presented.owner.tenant) else {
            throw DiaryError(.refreshRefused)
        }
        let next = presented.successor(key: serviceKeys.refreshToken)
        let limits = issuer.limits
        let rotation = Rotation(
            number: Int(presented.number), hash: presented.hash, nextHash: next.hash, graceSeconds: limits.refreshGraceSeconds,
            burstSeconds: limits.refreshBurstSeconds, graceUses: limits.refreshGraceUses, idleSeconds: limits.refreshIdleSeconds,
            requestID: origin.requestID)
        switch try await accounts.rotate(presented.session, of: presented.owner, rotation) {
        case .rotated(let life), .withinGrace(let life):
            try Failpoint.refreshAfterRotate.hitAsDiaryError()
            return try issuer.issue(next, in: app.slug, life: life)
        case .tooOften: throw DiaryError(.rateLimited, retryAfter: limits.refreshBurstSeconds, cause: "refresh grace")
        case .reused: jobSignals.jobCommitted(.mail)
        case .older(let newest, let hash):
            if await presented.leads(to: newest, hash, key: serviceKeys.refreshToken) {
                try await accounts.endReused(presented.session, of: presented.owner, requestID: origin.requestID)
                jobSignals.jobCommitted(.mail)
            }
        case .refused: break
        }
        throw DiaryError(.refreshRefused)
    }
}
