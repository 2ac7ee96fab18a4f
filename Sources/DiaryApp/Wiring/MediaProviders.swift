import DiaryCore
import DiaryMedia
import Logging

/// The three providers between a recording and its text, each chosen by its own setting.
struct MediaProviders: Sendable {
    let probe: any MediaProbe
    let speech: any SpeechRecognizer
    let cleanup: any TranscriptCleaner

    /// - Parameter detect: finds out what holds on this machine.
    /// - Throws: when a sandbox is required, one of the providers needs it, and it does not hold.
    init(
        _ settings: MediaSettings, limits: Limits, logger: Logger, detect: () async -> Sandbox = Sandbox.detect
    ) async throws(SettingsError) {
        let limits = RecordingLimits(duration: limits.maxAudioSeconds)
        var detected: Sandbox?
        func sandbox() async throws(SettingsError) -> Sandbox {
            if let detected { return detected }
            let sandbox = await detect()
            let level: Logger.Level = sandbox.isolation == .namespaces ? .notice : .warning
            logger.log(
                level: level, "media sandbox", metadata: ["isolation": "\(sandbox.isolation.rawValue)", "holds": "\(sandbox)"])
            guard settings.sandbox == .preferred || sandbox.isolation == .namespaces else {
                throw SettingsError(MediaSettings.sandbox, Self.refusal)
            }
            detected = sandbox
            return sandbox
        }

        switch settings.probe {
        case .ffmpeg: probe = FFmpegProbe(sandbox: try await sandbox(), limits: limits)
        #if DIARY_FAILPOINTS
            case .scripted: probe = ScriptedProbe(scripts: settings.scripts)
        #endif
        }
        switch settings.speech {
        case .pocketsphinx: speech = PocketSphinxRecognizer(sandbox: try await sandbox(), limits: limits)
        #if DIARY_FAILPOINTS
            case .scripted: speech = ScriptedRecognizer(scripts: settings.scripts)
        #endif
        }
        switch settings.cleanup {
        case .rules: cleanup = RulesCleaner()
        #if DIARY_FAILPOINTS
            case .scripted: cleanup = ScriptedCleaner(scripts: settings.scripts)
        #endif
        }
    }

    private static let refusal =
        "is required, but a trial of bwrap failed: it must be installed (bubblewrap), unprivileged user namespaces must be allowed "
        + "(sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces), and neither the unit nor the container may refuse them"
}
