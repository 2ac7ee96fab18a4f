/// The provider of each step from a recording to its text. `scripted` serves tests and exists in debug builds only.
struct MediaSettings: Sendable {
    enum Probe: String, CaseIterable, Sendable {
        case ffmpeg
        #if DIARY_FAILPOINTS
            case scripted
        #endif
    }

    enum Speech: String, CaseIterable, Sendable {
        case pocketsphinx
        #if DIARY_FAILPOINTS
            case scripted
        #endif
    }

    enum Cleanup: String, CaseIterable, Sendable {
        case rules
        #if DIARY_FAILPOINTS
            case scripted
        #endif
    }

    let probe: Probe
    let speech: Speech
    let cleanup: Cleanup
    #if DIARY_FAILPOINTS
        /// Folder of the files that control scripted providers.
        let scripts: String?
    #endif

    init(_ environment: Environment) throws(SettingsError) {
        probe = try environment.choice("DIARY_PROBE", default: .ffmpeg)
        speech = try environment.choice("DIARY_SPEECH", default: .pocketsphinx)
        cleanup = try environment.choice("DIARY_CLEANUP", default: .rules)
        #if DIARY_FAILPOINTS
            scripts = try environment.text("DIARY_SCRIPTS")
        #endif
    }

    /// Programs and files that the chosen providers need.
    var programs: [NeededPrograms.Needed] {
        var needed: [NeededPrograms.Needed] = []
        if probe == .ffmpeg { needed += NeededPrograms.ffmpeg }
        if speech == .pocketsphinx { needed += NeededPrograms.ffmpeg + NeededPrograms.pocketsphinx }
        return needed
    }
}
