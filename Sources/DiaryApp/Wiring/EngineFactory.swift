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
            case .local: return try await localSpeech()
            case .openai: return hostedSpeech(settings, key: key, in: try await sandbox.get())
            case .command:
                let sandbox = try await sandbox.get()
                return PartedSpeechEngine.wrap(
                    CommandSpeechEngine(settings, sandbox: sandbox, limits: limits), settings, sandbox: sandbox, limits: limits)
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

    /// The local engine of `DIARY_SPEECH`; PocketSphinx where that names a server.
    func localSpeech() async throws -> any SpeechEngine {
        switch settings.speech {
        case .pocketsphinx, .openai: return PocketSphinxRecognizer(sandbox: try await sandbox.get(), limits: limits)
        #if DIARY_FAILPOINTS
            case .scripted:
                let (own, engine) = (localSpeechSettings, ScriptedRecognizer(scripts: settings.scripts))
                // The sandbox is needed only to cut recordings, where the scripted engine has limits.
                guard own.maxBytes != nil || own.maxSeconds != nil else { return engine }
                return PartedSpeechEngine.wrap(engine, own, sandbox: try await sandbox.get(), limits: limits)
        #endif
        }
    }

    var localSpeechSettings: EngineSettings {
        #if DIARY_FAILPOINTS
            if settings.speech == .scripted { return ScriptedRecognizer.settings(scripts: settings.scripts) }
        #endif
        return EngineSettings(name: settings.speech.rawValue, stage: .speech, kind: .local)
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
        let engine = OpenAISpeechEngine(settings, client: client(settings, key: key), sandbox: sandbox, limits: limits)
        return PartedSpeechEngine.wrap(engine, settings, sandbox: sandbox, limits: limits)
    }

    func hostedText(_ settings: EngineSettings, key: SecretBytes?) -> any TextEngine {
        OpenAITextEngine(settings, client: client(settings, key: key))
    }

    private func client(_ settings: EngineSettings, key: SecretBytes?) -> OpenAIClient {
        OpenAIClient(settings, key: key, transfers: transfers, allowsPrivateHosts: self.settings.hosted.allowsPrivateHosts)
    }
}
