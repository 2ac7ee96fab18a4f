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
        // What one setting asks of another.
        collect { () throws(SettingsError) in _ = try LimitSettings.limits(environment, accessTokenSeconds: 1) }
        collect { () throws(SettingsError) in _ = try IdentityProviderSettings(environment) }
        collect { () throws(SettingsError) in _ = try ObjectSettings(environment) }
        collect { () throws(SettingsError) in _ = try ObjectSettings.also(environment) }
        for setting in LimitSettings.ofObjects {
            collect { () throws(SettingsError) in try LimitSettings.checkFits(setting, environment) }
        }
        if role == .worker {
            collect { () throws(SettingsError) in _ = try MailSettings(environment) }
            collect { () throws(SettingsError) in _ = try HostedSettings(environment) }
        }
    }

    /// Misspelt names are told with what is missing, which may be what was meant. Alone they stop no start: the file of settings may be
    /// that of another version.
    func pass() throws(SettingsError) {
        guard let first = faults.first else { return }
        throw SettingsError(first.name, first.reason, others: faults.dropFirst() + UnknownSettings.of(environment))
    }

    private func isRead(_ setting: any DeclaredSetting) -> Bool { role == .worker || !WorkerSettings.names.contains(setting.name) }

    /// A setting is named once.
    private mutating func collect(_ read: () throws(SettingsError) -> Void) {
        do throws(SettingsError) { try read() } catch {
            if !faults.contains(where: { $0.name == error.name }) { faults.append(error) }
        }
    }
}
