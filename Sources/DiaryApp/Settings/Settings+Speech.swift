extension Settings {
    enum Speech: String, CaseIterable, Sendable { case pocketsphinx, scripted }

    static let speech = Setting.choice("DIARY_SPEECH", default: Speech.pocketsphinx, "what transcribes; `scripted` is for tests")
    static let speechScripts = Setting.optional("DIARY_SPEECH_SCRIPTS", .text("folder"), "what `scripted` does")
    static let speechSlots = Setting.whole("DIARY_SPEECH_SLOTS", 1...64, default: 2, "recordings transcribed at once by a worker process")

    static let speechGroup = SettingsGroup(title: "Speech", settings: [speech, speechScripts, speechSlots])
}
