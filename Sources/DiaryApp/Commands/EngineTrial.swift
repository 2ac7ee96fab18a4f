import DiaryCore

/// The result of one engine's call with the sample.
struct EngineTrial: Sendable {
    let stage: String
    let name: String
    let kind: String
    let ok: Bool
    var text: String?
    var language: String?
    var model: String?
    let seconds: Double
    var cost: String?
    var code: String?
    var reason: String?
    var advice: String?

    static let form = ReportForm<EngineTrial>(
        .member("stage") { $0.stage }, .member("name") { $0.name }, .member("kind") { $0.kind }, .member("ok") { $0.ok },
        .member("text") { $0.text }, .member("language") { $0.language }, .member("model") { $0.model }, .member("seconds") { $0.seconds },
        .member("cost") { $0.cost }, .member("code") { $0.code }, .member("reason") { $0.reason }, .member("advice") { $0.advice })

    static func speech(_ chain: [ConfiguredEngine<any SpeechEngine>], _ slug: String) async throws -> [EngineTrial] {
        var trials: [EngineTrial] = []
        for engine in chain {
            // A folder for each: an engine may leave files.
            let trial = try await EngineSample.withRecording { recording in
                await run(engine.settings, slug) { () async throws(ProviderFailure) in
                    // Engines that do not find the language out are told it.
                    let language = engine.engine.languages.tags.isEmpty ? nil : "en"
                    let answer = try await engine.engine.transcribe(recording, SpeechRequest(language: language))
                    return (answer.transcript.text, answer.transcript.knownLanguage, answer.model, answer.use)
                }
            }
            trials.append(trial)
        }
        return trials
    }

    static func text(_ chain: [ConfiguredEngine<any TextEngine>], _ slug: String) async -> [EngineTrial] {
        var trials: [EngineTrial] = []
        for engine in chain {
            trials.append(
                await run(engine.settings, slug) { () async throws(ProviderFailure) in
                    let answer = try await engine.engine.clean(EngineSample.transcript, TextRequest())
                    return (answer.clean, nil, answer.model, answer.use)
                })
        }
        return trials
    }

    private static func run(
        _ settings: EngineSettings, _ slug: String,
        _ ask: () async throws(ProviderFailure) -> (text: String, language: String?, model: String?, use: EngineUse)
    ) async -> EngineTrial {
        let began = ContinuousClock.now
        func seconds() -> Double { (began.duration(to: .now) / .milliseconds(1)).rounded() / 1_000 }
        do throws(ProviderFailure) {
            let answer = try await ask()
            let cost = settings.price.cost(
                audioSeconds: answer.use.audioSeconds, inputTokens: answer.use.inputTokens, outputTokens: answer.use.outputTokens)
            return EngineTrial(
                stage: settings.stage.rawValue, name: settings.name, kind: settings.kind.rawValue, ok: true, text: answer.text,
                language: answer.language, model: answer.model ?? settings.model, seconds: seconds(), cost: EnginePrice.text(cost))
        } catch {
            return EngineTrial(
                stage: settings.stage.rawValue, name: settings.name, kind: settings.kind.rawValue, ok: false, model: settings.model,
                seconds: seconds(), code: error.code.rawValue, reason: error.cause, advice: advice(error, settings, slug))
        }
    }

    /// What an operator can do.
    static func advice(_ failure: ProviderFailure, _ settings: EngineSettings, _ slug: String) -> String {
        switch (failure.code, failure.treatment, settings.kind) {
        case (.engineRefused, _, _) where failure.cause.contains("402") || failure.cause.contains("no credit"):
            return "the account at the server has no credit left"
        case (.engineRefused, _, _):
            if let secret = settings.secret {
                return "set the secret again: \(TenantCommand.Secret.example(slug, secret))"
            }
            let set = "diary tenant engine set \(slug) \(settings.stage.rawValue) \(settings.name) --secret NAME"
            return "the server wants a key: name a secret (\(set)), or set \(keySetting(settings.stage)) for an engine of the settings"
        case (_, .configuration, .openai):
            if let secret = settings.secret, failure.cause.contains("secret") {
                return "set the secret: \(TenantCommand.Secret.example(slug, secret))"
            }
            if failure.cause.contains("private address") {
                return "a host of this machine or of a private network needs \(HostedSettings.privateHosts.name)=1"
            }
            return "compare --url and --model with what the server offers: GET \(settings.url ?? "")/models lists its models"
        case (.speechUnavailable, .retry, .local): return "\(speechServer); workers go on by themselves once it answers"
        case (_, .configuration, _): return "see the reason; the worker's log has more"
        case (_, .retry, .openai): return "is the server there? Workers ask it again, or the next engine of the chain"
        case (_, .retry, _): return "workers try it again"
        case (.speechTimeout, .permanent, _): return "it needs more time for the sample than --timeout gives"
        case (_, .permanent, _):
            return "the engine answers and does not take the sample: is it the right kind of model for \(settings.stage.rawValue)?"
        }
    }

    /// How the speech server is started.
    static let speechServer =
        "installed from the package: diary-speech --folder /var/lib/diary-speech, then systemctl start diary-speech; "
        + "in a checkout: scripts/speech, and `diary dev` starts it"

    private static func keySetting(_ stage: EngineStage) -> String {
        switch stage {
        case .speech: HostedSettings.speechKey.name
        case .text: HostedSettings.cleanupKey.name
        }
    }

    func show() {
        let engine = "\(stage) \(name) (\(kind)\(model.map { ", \($0)" } ?? ""))"
        if ok {
            print("\(engine): \(seconds) s, cost \(cost ?? "0")\(language.map { ", language \($0)" } ?? "")")
            // A line for each segment.
            let words = (text ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
            print("  \(OneLineText.accepts(words) ? words : "an answer with characters that are not shown")")
        } else {
            print("\(engine): failed after \(seconds) s: \(code ?? ""): \(reason ?? "")")
            if let advice { print("  \(advice)") }
        }
    }
}
