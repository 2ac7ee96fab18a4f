/// Every setting of the service. `Environment` reads no other, so one that is missing here fails at its first use.
enum SettingsCatalogue {
    static let groups = [
        Settings.network, DatabaseSettings.group, Settings.folders, ObjectSettings.group, MailSettings.group, KeySettings.group,
        IdentityProviderSettings.group,
        MediaSettings.group, LimitSettings.group, Settings.log,
    ]
    /// The settings that the documents list.
    static let all = groups.flatMap { $0.settings.map(\.declaration) }
    /// The names that `Environment` reads.
    static let names = Set(groups.flatMap { $0.settings + $0.debugBuilds }.map(\.name))
}
