import DiaryCore
import DiaryCrypto
import DiaryMedia
import Logging

/// The providers that the process's settings choose: the probe, the renderer, and the engines of apps that have none of their own.
struct MediaProviders: Sendable {
    let probe: any MediaProbe
    let renderer: any RecordingRenderer
    let speech: ConfiguredEngine<any SpeechEngine>
    let cleanup: ConfiguredEngine<any TextEngine>

    /// - Throws: as `SandboxTrial.get`, when one of the providers needs a sandbox.
    init(_ settings: MediaSettings, factory: EngineFactory) async throws {
        switch settings.probe {
        case .ffmpeg:
            probe = FFmpegProbe(sandbox: try await factory.sandbox.get(), limits: factory.limits)
            renderer = FFmpegRenderer(sandbox: try await factory.sandbox.get(), limits: factory.limits)
        #if DIARY_FAILPOINTS
            case .scripted:
                probe = ScriptedProbe(scripts: settings.scripts)
                renderer = ScriptedRenderer()
        #endif
        }
        if let server = settings.hosted.speech {
            speech = ConfiguredEngine(
                Self.revised(server), factory.hostedSpeech(server.settings, key: server.key, in: try await factory.sandbox.get()))
        } else {
            speech = ConfiguredEngine(factory.localSpeechSettings, try await factory.localSpeech())
        }
        if let server = settings.hosted.cleanup {
            cleanup = ConfiguredEngine(Self.revised(server), factory.hostedText(server.settings, key: server.key))
        } else {
            cleanup = ConfiguredEngine(EngineSettings(name: settings.cleanup.rawValue, stage: .text, kind: .local), factory.localText())
        }
    }

    /// Marks the engine with its key, so that the breakers in Redis, which outlive the process, treat it as another engine after a new key.
    private static func revised(_ server: HostedSettings.Server) -> EngineSettings {
        server.settings.revised(by: server.key?.bytes())
    }

    /// The chains of the process's settings: one engine each.
    var engines: FixedEngines { FixedEngines(speech: [speech], text: [cleanup]) }
}
