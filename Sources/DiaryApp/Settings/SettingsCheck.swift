/// Reads every setting of a role and collects what is wrong, so that one start names all of it.
struct SettingsCheck {
    enum Role: CaseIterable {
        case api
        case worker
    }

    private let environment: Environment
    private let role: Role
    private(set) var faults: [SettingsError] = []

    init(_ environment: Environment, of role: Role) {
        self.environment = environment
        self.role = role
        for setting in SettingsCatalogue.groups.flatMap({ $0.settings + $0.debugBuilds }) where isRead(setting) {
            collect { () throws(SettingsError) in try setting.check(environment) }
        }
        // Settings that depend on one another.
        collect { () throws(SettingsError) in _ = try LimitSettings.limits(environment, accessTokenSeconds: 1) }
        collect { () throws(SettingsError) in _ = try IdentityProviderSettings(environment) }
        collect { () throws(SettingsError) in _ = try ObjectSettings(environment) }
        for setting in LimitSettings.ofObjects {
            collect { () throws(SettingsError) in try LimitSettings.checkFits(setting, environment) }
        }
        if role == .worker {
            collect { () throws(SettingsError) in _ = try MailSettings(environment) }
            collect { () throws(SettingsError) in _ = try HostedSettings(environment) }
        }
    }

    /// Adds unknown names to the error, since a missing setting may be one that was misspelt. Unknown names alone stop no start: the
    /// settings may be those of another version.
    func pass() throws(SettingsError) {
        guard let first = faults.first else { return }
        throw SettingsError(first.name, first.reason, others: faults.dropFirst() + UnknownSettings.of(environment))
    }

    private func isRead(_ setting: any DeclaredSetting) -> Bool { role == .worker || !WorkerSettings.names.contains(setting.name) }

    /// Keeps the first fault of each setting.
    private mutating func collect(_ read: () throws(SettingsError) -> Void) {
        do throws(SettingsError) { try read() } catch {
            if !faults.contains(where: { $0.name == error.name }) { faults.append(error) }
        }
    }
}
