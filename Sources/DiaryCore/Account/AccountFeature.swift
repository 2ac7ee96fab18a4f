/// An account for its owner: profile, statistics, events, sessions, and changes of password and address.
package struct AccountFeature: Sendable {
    package let editProfile: EditProfile
    package let readEvents: ReadEvents
    package let listSessions: ListSessions
    package let changePassword: ChangePassword
    package let changeAddress: ChangeAddress
    package let reauthenticate: Reauthenticate
    let profiles: any ProfileStore
    let sessions: any SessionStore
    let tenants: any TenantStore
    let keys: DataKeys
    let clock: WallClock

    init(_ ports: FeaturePorts) {
        let (credentials, jobSignals) = (ports.credentials, ports.jobSignals)
        profiles = ports.profiles
        sessions = ports.sessions
        tenants = ports.tenants
        keys = ports.memberKeys
        clock = ports.clock
        editProfile = EditProfile(profiles: profiles, keys: keys, engines: ports.engines, tenants: tenants, jobSignals: jobSignals)
        readEvents = ReadEvents(profiles: profiles)
        listSessions = ListSessions(sessions: sessions, keys: keys)
        changePassword = ChangePassword(
            credentials: credentials, keys: keys, tenants: tenants, hasher: ports.hasher, jobSignals: jobSignals,
            issuer: ports.issuer, guesses: ports.guesses, fault: ports.passwordCheck)
        changeAddress = ChangeAddress(
            accounts: ports.accounts, credentials: credentials, keys: keys, jobSignals: jobSignals, codes: ports.codes,
            writes: ports.idempotentWrites)
        reauthenticate = Reauthenticate(
            credentials: credentials, keys: keys, hasher: ports.hasher, jobSignals: jobSignals, guesses: ports.guesses, codes: ports.codes,
            writes: ports.idempotentWrites)
    }

    package func profile(of member: Member) async throws(DiaryError) -> Profile { try await profiles.profile(of: member, opening: keys) }

    /// Counts a member's entries and recordings, and what they have used of the app's limits.
    package func statistics(of member: Member) async throws(DiaryError) -> AccountStatistics {
        var statistics = try await profiles.statistics(of: member, at: clock.now())
        statistics.limits = try await tenants.configuration(of: member.tenant).usageLimits
        return statistics
    }

    /// Ends a session: its access and refresh tokens are refused from the next request on (B15).
    package func endSession(_ session: SessionID, by member: Member, from origin: RequestOrigin) async throws(DiaryError) {
        guard try await sessions.end(session, by: member, requestID: origin.requestID) else { throw .notFound }
    }

    /// Ends the session of the request.
    package func endOwnSession(_ member: Member, from origin: RequestOrigin) async throws(DiaryError) {
        // Ended by another request at the same moment.
        guard try await sessions.end(member.session, by: member, requestID: origin.requestID) else { throw .unauthorized }
    }

    package func endSessions(keepingOwn: Bool, by member: Member, from origin: RequestOrigin) async throws(DiaryError) {
        try await sessions.endAll(keepingOwn: keepingOwn, by: member, requestID: origin.requestID)
    }
}

extension DiaryFeatures {
    package var account: AccountFeature { AccountFeature(ports) }
}

/// An account's events, newest first, for its owner.
package struct ReadEvents: Sendable {
    let profiles: any ProfileStore

    /// - Parameter kind: nil for every kind.
    package func run(
        _ kind: AuditEvent.Kind?, before position: ListPosition?, limit: Int, of member: Member
    ) async throws(DiaryError) -> ListPage<AuditEvent> {
        let events = try await profiles.events(kind, before: position, limit: limit + 1, of: member)
        return ListPage(events, limit: limit) { ListPosition(at: $0.at, id: $0.id) }
    }
}

/// Lists a member's sessions.
package struct ListSessions: Sendable {
    let sessions: any SessionStore
    let keys: DataKeys

    package func run(_ member: Member) async throws(DiaryError) -> [SessionView] {
        let stored = try await sessions.sessions(of: member)
        let vault = try await keys.vault(of: member)
        return stored.map { session in
            // A device name that does not open leaves the session in the list.
            func text(_ sealed: [UInt8]?, _ part: Vault.Part) -> String? {
                sealed.flatMap { try? vault.open($0, part, row: session.id.uuid) }.map { String(decoding: $0, as: UTF8.self) }
            }
            return SessionView(
                id: session.id, device: text(session.deviceSealed, .device), place: text(session.placeSealed, .place),
                createdAt: session.createdAt, lastUsedAt: session.lastUsedAt, isCurrent: session.id == member.session)
        }
    }
}
