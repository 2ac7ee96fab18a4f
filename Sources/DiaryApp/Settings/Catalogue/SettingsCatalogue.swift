/// Every setting of the service. `Environment` reads no other, so one that is missing here fails at its first use.
enum SettingsCatalogue {
    static let groups = [
        Settings.network, DatabaseSettings.group, Settings.folders, MailSettings.group, KeySettings.group, ProviderSettings.group,
        MediaSettings.group, LimitSettings.group, Settings.log,
    ]
    static let all = groups.flatMap { $0.settings.map(\.declaration) }
    static let names = Set(all.map(\.name) + debugOnly.map(\.name))

    /// In no document, and in no release build.
    #if DIARY_FAILPOINTS
        private static let debugOnly: [any DeclaredSetting] = [MediaSettings.scripts]
    #else
        private static let debugOnly: [any DeclaredSetting] = []
    #endif
}
