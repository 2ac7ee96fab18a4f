import FoundationEssentials

/// Makes both tokens of a session.
package struct SessionIssuer: Sendable {
    let tokens: any AccessTokens
    let limits: Limits
    let clock: WallClock
    let profiles: any ProfileStore

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

    /// The answer to a sign-in, with the account's profile. The session is open and the code that opened it is used up, so the answer must
    /// not depend on the profile, which is read by a call of its own.
    func issue(
        _ refresh: RefreshToken, in app: String, vault: Vault, isNew: Bool = false, deviceToken: String? = nil
    ) async throws(DiaryError) -> SessionTokens {
        var issued = try issue(refresh, in: app, life: SessionLife(limits))
        let member = Member(tenant: refresh.owner.tenant, user: refresh.owner.user, session: refresh.session)
        issued.profile = try? Profile(try await profiles.profile(of: member), opened: vault)
        issued.isNew = isNew
        issued.deviceToken = deviceToken
        return issued
    }

    func issue(_ refresh: RefreshToken, in app: String, life: SessionLife) throws(DiaryError) -> SessionTokens {
        let now = clock.now()
        let claims = AccessClaims(
            tenant: refresh.owner.tenant, user: refresh.owner.user, session: refresh.session,
            expiresAt: now.addingTimeInterval(Double(limits.accessTokenSeconds)))
        do {
            return SessionTokens(
                accessToken: try tokens.issue(claims, at: now), expiresIn: limits.accessTokenSeconds, refreshToken: refresh.text,
                life: life, session: refresh.session, user: refresh.owner.user, app: app)
        } catch {
            throw DiaryError(.internalError, cause: "signing an access token failed")
        }
    }
}

/// How long a session goes on, in seconds from now.
package struct SessionLife: Sendable, Equatable {
    /// The refresh token ends when it is not used within this time.
    package var refreshSeconds: Int
    /// The session ends, however often it is refreshed.
    package var sessionSeconds: Int

    package init(refreshSeconds: Int, sessionSeconds: Int) {
        self.refreshSeconds = refreshSeconds
        self.sessionSeconds = sessionSeconds
    }
}

extension SessionLife {
    /// The life of a new session.
    init(_ limits: Limits) {
        self.init(
            refreshSeconds: min(limits.refreshIdleSeconds, limits.refreshAbsoluteSeconds), sessionSeconds: limits.refreshAbsoluteSeconds)
    }
}

/// The answer to a sign-in (OAuth field names).
package struct SessionTokens: Sendable {
    package var accessToken: String
    package var expiresIn: Int
    package var refreshToken: String
    package var life: SessionLife
    package var session: SessionID
    package var user: UserID
    /// The slug of the app.
    package var app: String
    /// This sign-in created the account.
    package var isNew = false
    /// nil at a refresh, which reads no account, and when it could not be read.
    package var profile: Profile?
    /// At sign-in by address: the device token to send the next time.
    package var deviceToken: String?
}

package struct NewSession: Sendable {
    package var id: SessionID
    package var deviceSealed: [UInt8]?
    package var placeSealed: [UInt8]?
    package var refreshHash: [UInt8]
    package var idleSeconds: Int
    package var absoluteSeconds: Int
    /// The id of the request that opens it, for the event.
    package var requestID: String?
}
