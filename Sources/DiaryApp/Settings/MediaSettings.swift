import DiaryCore
import DiaryMedia

/// The provider of each step from a recording to its text. `scripted` serves tests and exists in debug builds only.
struct MediaSettings: Sendable {
    enum Probe: String, CaseIterable, Sendable {
        case ffmpeg
        #if DIARY_FAILPOINTS
            case scripted
        #endif
    }

    enum Speech: String, CaseIterable, Sendable {
        /// Whisper, by the speech server on this machine.
        case local
        /// A server of `HostedSettings`.
        case openai
        #if DIARY_FAILPOINTS
            case scripted
        #endif
    }

    enum Cleanup: String, CaseIterable, Sendable {
        case rules
        /// A server of `HostedSettings`.
        case openai
        #if DIARY_FAILPOINTS
            case scripted
        #endif
    }

    /// Whether programs that read recordings may run without the sandbox's namespaces.
    enum Sandboxing: String, CaseIterable, Sendable {
        /// Where the kernel or the unit forbids namespaces, they run with resource limits only.
        case preferred
        /// A worker without namespaces does not start.
        case required
    }

    let probe: Probe
    let speech: Speech
    let cleanup: Cleanup
    let speechSocket: String
    let sandbox: Sandboxing
    let hosted: HostedSettings
    #if DIARY_FAILPOINTS
        /// Folder of the files that control scripted providers.
        let scripts: String?
    #endif

    init(_ environment: Environment) throws(SettingsError) {
        probe = try environment.read(Self.probe)
        speech = try environment.read(Self.speech)
        cleanup = try environment.read(Self.cleanup)
        speechSocket = try environment.read(Self.speechSocket)
        sandbox = try environment.read(Self.sandbox)
        hosted = try HostedSettings(environment)
        #if DIARY_FAILPOINTS
            scripts = try environment.read(Self.scripts)
        #endif
    }

    /// The socket of the local engine's server when nothing is there; nil when it is, or is not needed.
    var missingServer: String? {
        speech != .local || UnixSocket.answers(speechSocket) ? nil : speechSocket
    }

    /// Programs and files that the chosen providers need.
    var programs: [NeededPrograms.Needed] {
        probe.programs + speech.programs + cleanup.programs
    }
}

extension MediaSettings.Probe {
    fileprivate var programs: [NeededPrograms.Needed] {
        switch self {
        case .ffmpeg: NeededPrograms.ffmpeg
        #if DIARY_FAILPOINTS
            case .scripted: []
        #endif
        }
    }
}

extension MediaSettings.Speech {
    fileprivate var programs: [NeededPrograms.Needed] {
        switch self {
        case .local, .openai: NeededPrograms.ffmpeg
        #if DIARY_FAILPOINTS
            case .scripted: []
        #endif
        }
    }
}

extension MediaSettings.Speech {
    /// What the engine of kind `local` knows, for `GET /v1/config`.
    var localLanguages: SpeechLanguages {
        switch self {
        case .local, .openai: .all
        #if DIARY_FAILPOINTS
            case .scripted: ScriptedRecognizer.languages
        #endif
        }
    }

    var kind: EngineKind { self == .openai ? .openai : .local }

    /// Whether the speech server on this machine is of use: as the engine, or for where recordings have voice.
    var usesServer: Bool { self == .local || self == .openai }
}

extension MediaSettings.Cleanup {
    var kind: EngineKind { self == .openai ? .openai : .local }
}

extension MediaSettings.Cleanup {
    fileprivate var programs: [NeededPrograms.Needed] {
        switch self {
        case .rules, .openai: []
        #if DIARY_FAILPOINTS
            case .scripted: []
        #endif
        }
    }
}

extension MediaSettings {
    static let probe = Setting.choice("DIARY_PROBE", default: Probe.ffmpeg, documented: [.ffmpeg], "examines an uploaded recording")
    static let speech = Setting.choice(
        "DIARY_SPEECH", default: Speech.local, documented: [.local, .openai],
        "transcribes it, for apps without engines of their own: `local` is Whisper by the speech server on this machine")
    static let speechSocket = Setting<String>.defaulted(
        "DIARY_SPEECH_SOCKET", .text("path"), default: "/run/diary-speech/speech.sock",
        "the Unix socket of that server, which also finds where recordings have voice for engines of other kinds")
    static let whisperModel = Setting.optional(
        "DIARY_WHISPER_MODEL", .text("folder"), without: "base, as `scripts/speech` fetches it",
        "a CTranslate2 Whisper model (small, large-v3-turbo …) for the speech server: read by it and by `diary dev`, not by workers")
    static let cleanup = Setting.choice(
        "DIARY_CLEANUP", default: Cleanup.rules, documented: [.rules, .openai],
        "cleans the transcript, for apps without engines of their own")
    static let sandbox = Setting.choice(
        "DIARY_SANDBOX", default: Sandboxing.preferred,
        "with `required` a worker that cannot put ffmpeg and commands of engines into namespaces of their own does not start; "
            + "with `preferred` it runs them with limits only")
    static let speechSlots = Setting.whole(
        "DIARY_SPEECH_SLOTS", 1...64, default: 6,
        "recordings of up to a minute worked on at once by a worker process, half of them one account's and half at one app's servers; "
            + "of longer ones a third as many more")

    #if DIARY_FAILPOINTS
        static let scripts = Setting.optional("DIARY_SCRIPTS", .text("folder"), "files that control scripted providers")
        private static let debugBuilds: [any DeclaredSetting] = [scripts]
    #else
        private static let debugBuilds: [any DeclaredSetting] = []
    #endif

    static let group = SettingsGroup(
        title: "Media",
        notes: ["`diary tenant engine` gives an app engines of its own, `diary tenant secret` their keys; these are for the others."],
        settings: [probe, speech, speechSocket, whisperModel] + HostedSettings.speech + [cleanup] + HostedSettings.cleanup + [
            HostedSettings.privateHosts, sandbox, speechSlots,
        ],
        debugBuilds: debugBuilds)
}
