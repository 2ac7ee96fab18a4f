import DiaryCore
import DiaryCrypto

/// OpenAI-compatible servers of the whole service, and whether engines may be on private hosts.
struct HostedSettings: Sendable {
    /// An engine with the key that it is asked with.
    struct Server: Sendable {
        let settings: EngineSettings
        let key: SecretBytes?
    }

    /// nil unless `DIARY_SPEECH` is `openai`.
    let speech: Server?
    /// nil unless `DIARY_CLEANUP` is `openai`.
    let cleanup: Server?
    let allowsPrivateHosts: Bool

    init(_ environment: Environment) throws(SettingsError) {
        allowsPrivateHosts = try environment.read(Self.privateHosts) == 1
        speech =
            try environment.read(MediaSettings.speech) == .openai
            ? try Self.server(
                .speech, MediaSettings.speech.name, (Self.speechURL, Self.speechModel, Self.speechKey, Self.speechLocal),
                environment, allowsPrivateHosts)
            : nil
        cleanup =
            try environment.read(MediaSettings.cleanup) == .openai
            ? try Self.server(
                .text, MediaSettings.cleanup.name, (Self.cleanupURL, Self.cleanupModel, Self.cleanupKey, Self.cleanupLocal), environment,
                allowsPrivateHosts)
            : nil
    }

    private static func server(
        _ stage: EngineStage, _ chosenBy: String,
        _ settings: (url: Setting<String?>, model: Setting<String?>, key: Setting<SecretBytes?>, local: Setting<Int>),
        _ environment: Environment, _ allowsPrivateHosts: Bool
    ) throws(SettingsError) -> Server {
        guard let url = try environment.read(settings.url) else { throw SettingsError(settings.url, "is required with \(chosenBy)=openai") }
        if let fault = EngineSettings.faults(of: url, allowsPrivateHosts: allowsPrivateHosts).first {
            throw SettingsError(settings.url, String(fault.dropFirst("--url ".count)))
        }
        guard let model = try environment.read(settings.model) else {
            throw SettingsError(settings.model, "is required with \(chosenBy)=openai")
        }
        guard OneLineText.fault(ofName: model, max: 200) == nil else { throw SettingsError(settings.model, "is not the name of a model") }
        return Server(
            settings: EngineSettings(
                name: EngineKind.openai.rawValue, stage: stage, kind: .openai, url: EngineAddress(url)?.description ?? url, model: model,
                isLocal: try environment.read(settings.local) == 1),
            key: try environment.read(settings.key))
    }
}

extension HostedSettings {
    static let privateHosts = Setting.whole(
        "DIARY_ENGINES_PRIVATE", 0...1, default: 0,
        "`1` permits engines on this machine and in private networks, also without TLS; `diary dev` has it")

    private static let speechURL = url("DIARY_SPEECH_URL", MediaSettings.speech.name, "the base address of the speech server")
    private static let speechModel = model(
        "DIARY_SPEECH_MODEL", MediaSettings.speech.name, "the model that transcribes", example: "whisper-1")
    static let speechKey = key("DIARY_SPEECH_KEY", "speech-key")
    static let speechLocal = local("DIARY_SPEECH_LOCAL")
    private static let cleanupURL = url("DIARY_CLEANUP_URL", MediaSettings.cleanup.name, "the base address of the language model's server")
    private static let cleanupModel = model(
        "DIARY_CLEANUP_MODEL", MediaSettings.cleanup.name, "the model that cleans", example: "gpt-4o-mini")
    static let cleanupKey = key("DIARY_CLEANUP_KEY", "cleanup-key")
    static let cleanupLocal = local("DIARY_CLEANUP_LOCAL")

    static let speech: [any DeclaredSetting] = [speechURL, speechModel, speechKey, speechLocal]
    static let cleanup: [any DeclaredSetting] = [cleanupURL, cleanupModel, cleanupKey, cleanupLocal]

    private static func url(_ name: String, _ chosenBy: String, _ meaning: String) -> Setting<String?> {
        Setting<String?>.optional(
            name, .text("URL"), without: "required with `\(chosenBy)=openai`", meaning, example: .comment("https://api.openai.com/v1"))
    }

    private static func model(_ name: String, _ chosenBy: String, _ meaning: String, example: String) -> Setting<String?> {
        Setting<String?>.optional(
            name, .text("text"), without: "required with `\(chosenBy)=openai`", meaning, example: .comment(example))
    }

    private static func local(_ name: String) -> Setting<Int> {
        Setting.whole(
            name, 0...1, default: 0, "`1`: that server is the operator's own, and no consent to hosted processing is asked for it")
    }

    /// - Parameter file: of the folder of keys.
    private static func key(_ name: String, _ file: String) -> Setting<SecretBytes?> {
        Setting<SecretBytes?>.optional(
            name, .visibleBytes(4_096), secrecy: .secret, "sent to that server as bearer token", example: .file("/etc/diary/keys/\(file)"))
    }
}
