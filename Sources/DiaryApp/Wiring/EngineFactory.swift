import CurlTransfer
import DiaryCore
import DiaryCrypto
import DiaryMedia
import Logging

/// Makes engines from their settings, for the chains of apps and of the process.
struct EngineFactory: EngineBuilder {
    let settings: MediaSettings
    let limits: RecordingLimits
    let sandbox: SandboxTrial
    /// Transfers for all hosted engines; each request names its own target.
    let transfers: CurlTransfers

    /// - Parameter detect: finds out which sandbox works on this machine.
    init(
        _ settings: MediaSettings, limits: Limits, logger: Logger, detect: @escaping @Sendable () async throws -> Sandbox = Sandbox.detect
    ) throws {
        self.settings = settings
        self.limits = RecordingLimits(duration: limits.maxAudioSeconds)
        sandbox = SandboxTrial(required: settings.sandbox == .required, logger: logger, detect: detect)
        transfers = try CurlTransfers(TransferConfiguration(hosts: []), name: "curl-engines")
    }

    func speech(_ settings: EngineSettings, key: SecretBytes?) async throws(ProviderFailure) -> any SpeechEngine {
        do {
            switch settings.kind {
            case .local: return try await localSpeech(settings)
            case .openai: return hostedSpeech(settings, key: key, in: try await sandbox.get())
            case .command:
                let sandbox = try await sandbox.get()
                return parted(CommandSpeechEngine(settings, sandbox: sandbox, limits: limits), settings, in: sandbox)
            }
        } catch let error as SettingsError {
            throw ProviderFailure(.configuration, code: .speechUnavailable, cause: "\(error.name) \(error.reason)")
        } catch {
            throw .outage(code: .speechUnavailable, cause: "the sandbox could not be tried")
        }
    }

    func text(_ settings: EngineSettings, key: SecretBytes?) async throws(ProviderFailure) -> any TextEngine {
        switch settings.kind {
        case .local: return localText()
        case .openai: return hostedText(settings, key: key)
        case .command: throw ProviderFailure(.configuration, code: .cleanupUnavailable, cause: "no program cleans text")
        }
    }

    /// - Parameter settings: an app's; nil: the installation's own.
    func localSpeech(_ settings: EngineSettings? = nil) async throws -> any SpeechEngine {
        #if DIARY_FAILPOINTS
            if self.settings.speech == .scripted {
                let (own, engine) = (localSpeechSettings, ScriptedRecognizer(scripts: self.settings.scripts))
                // The sandbox is needed only to cut recordings, where the scripted engine has limits.
                guard own.maxBytes != nil || own.maxSeconds != nil || detector.isAvailable else { return engine }
                return parted(engine, own, in: try await sandbox.get())
            }
        #endif
        let own = LocalSpeechEngine.settings(settings)
        return parted(LocalSpeechEngine(localClient(own)), own, in: try await sandbox.get())
    }

    var localSpeechSettings: EngineSettings {
        #if DIARY_FAILPOINTS
            if settings.speech == .scripted { return ScriptedRecognizer.settings(scripts: settings.scripts) }
        #endif
        return LocalSpeechEngine.settings()
    }

    private func localClient(_ own: EngineSettings) -> OpenAIClient {
        OpenAIClient(own, socket: settings.speechSocket, transfers: transfers)
    }

    /// Of all engines: what any of them leaves out is found.
    private var detector: LocalVoiceDetector {
        LocalVoiceDetector(socket: settings.speechSocket, client: localClient(LocalSpeechEngine.settings()))
    }

    private func parted(_ engine: any SpeechEngine, _ settings: EngineSettings, in sandbox: Sandbox) -> any SpeechEngine {
        PartedSpeechEngine.wrap(engine, settings, sandbox: sandbox, limits: limits, detector: detector)
    }

    func localText() -> any TextEngine {
        switch settings.cleanup {
        case .rules, .openai: RulesCleaner()
        #if DIARY_FAILPOINTS
            case .scripted: ScriptedCleaner(scripts: settings.scripts)
        #endif
        }
    }

    func hostedSpeech(_ settings: EngineSettings, key: SecretBytes?, in sandbox: Sandbox) -> any SpeechEngine {
        parted(
            OpenAISpeechEngine(settings, client: client(settings, key: key), sandbox: sandbox, limits: limits), settings, in: sandbox)
    }

    func hostedText(_ settings: EngineSettings, key: SecretBytes?) -> any TextEngine {
        OpenAITextEngine(settings, client: client(settings, key: key))
    }

    private func client(_ settings: EngineSettings, key: SecretBytes?) -> OpenAIClient {
        OpenAIClient(settings, key: key, transfers: transfers, allowsPrivateHosts: self.settings.hosted.allowsPrivateHosts)
    }
}
