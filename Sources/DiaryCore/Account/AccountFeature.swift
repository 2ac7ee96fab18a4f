/// An account for its owner: profile, statistics, events, sessions, and changes of password and address.
package struct AccountFeature: Sendable {
    package let readProfile: ReadProfile
    package let editProfile: EditProfile
    package let readStatistics: ReadStatistics
    package let readEvents: ReadEvents
    package let listSessions: ListSessions
    package let endSessions: EndSessions
    package let changePassword: ChangePassword
    package let changeAddress: ChangeAddress
    package let reauthenticate: Reauthenticate

    init(_ ports: FeaturePorts) {
        let (keys, credentials, jobSignals) = (ports.memberKeys, ports.credentials, ports.jobSignals)
        readProfile = ReadProfile(profiles: ports.profiles, keys: keys)
        editProfile = EditProfile(profiles: ports.profiles, keys: keys, engines: ports.engines, tenants: ports.tenants)
        readStatistics = ReadStatistics(profiles: ports.profiles, tenants: ports.tenants, clock: ports.clock)
        readEvents = ReadEvents(profiles: ports.profiles)
        listSessions = ListSessions(sessions: ports.sessions, keys: keys)
        endSessions = EndSessions(sessions: ports.sessions)
        changePassword = ChangePassword(
            credentials: credentials, keys: keys, tenants: ports.tenants, hasher: ports.hasher, jobSignals: jobSignals,
            issuer: ports.issuer, guesses: ports.guesses, fault: ports.passwordCheck)
        changeAddress = ChangeAddress(
            accounts: ports.accounts, credentials: credentials, keys: keys, jobSignals: jobSignals, codes: ports.codes,
            writes: ports.idempotentWrites)
        reauthenticate = Reauthenticate(
            credentials: credentials, keys: keys, hasher: ports.hasher, jobSignals: jobSignals, guesses: ports.guesses, codes: ports.codes,
            writes: ports.idempotentWrites)
    }
}

extension DiaryFeatures {
    package var account: AccountFeature { AccountFeature(ports) }
}
