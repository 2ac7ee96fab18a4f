import FoundationEssentials

/// Makes both tokens of a session.
package struct SessionIssuer: Sendable {
    let tokens: any AccessTokens
    let limits: Limits
    let clock: WallClock

    func newSession(of refresh: RefreshToken, device: [UInt8]?, place: [UInt8]? = nil, requestID: String? = nil) -> NewSession {
        NewSession(
            id: refresh.session, deviceSealed: device, placeSealed: place, refreshHash: refresh.hash,
            idleSeconds: limits.refreshIdleSeconds,
            absoluteSeconds: limits.refreshAbsoluteSeconds, requestID: requestID)
    }

    /// The first token of a new session, and the session; its device and place are personal data and sealed.
    func prepare(_ owner: Owner, device: String?, from origin: RequestOrigin, vault: Vault) throws(DiaryError) -> (RefreshToken, NewSession)
    {
        let refresh = RefreshToken(firstOf: SessionID(UUIDv7.make(at: clock.now())), owner: owner)
        func sealed(_ text: String?, _ part: Vault.Part) throws(DiaryError) -> [UInt8]? {
            try text.map { text throws(DiaryError) in try vault.seal(Array(text.utf8), part, row: refresh.session.uuid) }
        }
        let session = newSession(
            of: refresh, device: try sealed(device, .device), place: try sealed(origin.place, .place), requestID: origin.requestID)
        return (refresh, session)
    }

    func issue(_ refresh: RefreshToken, deviceToken: String? = nil) throws(DiaryError) -> SessionTokens {
        let now = clock.now()
        let claims = AccessClaims(
            tenant: refresh.owner.tenant, user: refresh.owner.user, session: refresh.session,
            expiresAt: now.addingTimeInterval(Double(limits.accessTokenSeconds)))
        do {
            return SessionTokens(
                accessToken: try tokens.issue(claims, at: now), expiresIn: limits.accessTokenSeconds, refreshToken: refresh.text,
                session: refresh.session, user: refresh.owner.user, deviceToken: deviceToken)
        } catch {
            throw DiaryError(.internalError, cause: "signing an access token failed")
        }
    }
}
