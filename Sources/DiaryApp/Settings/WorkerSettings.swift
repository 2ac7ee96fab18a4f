/// The settings that only workers need. `diary serve` starts without them.
struct WorkerSettings: Sendable {
    let temporary: String
    let mail: MailSettings
    let mailProviders: MailProviderSettings
    let media: MediaSettings
    let speechSlots: Int

    init(_ environment: Environment) throws(SettingsError) {
        try SettingsCheck(environment, of: .worker).pass()
        temporary = try environment.read(Self.temporary)
        mail = try MailSettings(environment)
        mailProviders = try MailProviderSettings(environment)
        media = try MediaSettings(environment)
        speechSlots = try environment.read(MediaSettings.speechSlots)
    }
}

extension WorkerSettings {
    static let temporary = Setting.required(
        "DIARY_TEMPORARY", .text("folder"),
        "workers only: where plain recordings lie while they are worked on. Each worker makes a subfolder; the next start removes what a "
            + "killed one left",
        example: .comment("/var/lib/diary/tmp"))

    /// The names of these settings; all others are read by every process of the service. The API lists the engines of `DIARY_SPEECH` and
    /// `DIARY_CLEANUP`, and whether they are hosted.
    static let names = Set(
        [temporary.name] + [MailSettings.group, MediaSettings.group].flatMap { $0.settings + $0.debugBuilds }.map(\.name)
    ).subtracting([
        MediaSettings.speech.name, MediaSettings.cleanup.name, HostedSettings.speechLocal.name, HostedSettings.cleanupLocal.name,
        MailFeedbackSettings.sendGridKey.name, MailFeedbackSettings.topics.name, MailFeedbackSettings.snsURL.name,
    ])
}
