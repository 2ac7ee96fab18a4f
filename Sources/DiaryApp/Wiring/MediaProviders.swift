import DiaryCore
import DiaryMedia
import Logging

/// The three providers between a recording and its text, each chosen by its own setting.
struct MediaProviders: Sendable {
    let probe: any MediaProbe
    let speech: any SpeechRecognizer
    let cleanup: any TranscriptCleaner

    init(_ settings: MediaSettings, limits: Limits, logger: Logger) async {
        let limits = RecordingLimits(duration: limits.maxAudioSeconds)
        var detected: Sandbox?
        func sandbox() async -> Sandbox {
            if let detected { return detected }
            let sandbox = await Sandbox.detect()
            logger.notice("media sandbox", metadata: ["isolation": "\(sandbox.isolation.rawValue)", "holds": "\(sandbox)"])
            detected = sandbox
            return sandbox
        }

        switch settings.probe {
        case .ffmpeg: probe = FFmpegProbe(sandbox: await sandbox(), limits: limits)
        #if DIARY_FAILPOINTS
            case .scripted: probe = ScriptedProbe(scripts: settings.scripts)
        #endif
        }
        switch settings.speech {
        case .pocketsphinx: speech = PocketSphinxRecognizer(sandbox: await sandbox(), limits: limits)
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
}
