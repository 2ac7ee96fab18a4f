import ArgumentParser
import DiaryCore
import DiaryDatabase

extension TenantCommand.Engine {
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds an engine to a chain, or changes the one of its name.",
            discussion: """
                Kinds: local (Whisper or the rules that come with the service), openai (any server with OpenAI's interface: OpenAI, Groq, Azure, \
                speaches, whisper.cpp, vLLM, Ollama), and for speech command (a program that prints whisper.cpp's JSON).

                Of an engine that is there already what is not given stays as it was, with its price, time limit and secret. Another --kind begins anew, with the \
                defaults; so do `diary tenant engine unset` and then `set`. The chain as it is then set is printed.
                """)

        @OptionGroup var chain: ChainOptions

        @Argument(help: "The engine's name in its chain, shown to users who choose: up to 40 of a-z, 0-9 and -.")
        var name: String

        @Option(help: "Needed for a new engine.")
        var kind: EngineKind?

        @Option(help: "openai: the base address, e.g. https://api.openai.com/v1.")
        var url: String?

        @Option(help: "openai: the model's name, as the server knows it.")
        var model: String?

        @Option(help: "openai: the name of the secret that is sent as bearer token, \"\" for none; see `diary tenant secret`.")
        var secret: String?

        @Option(parsing: .unconditionalSingleValue, help: "command: the program's absolute path; again for each argument.")
        var command: [String] = []

        @Option(help: "Seconds of one call; a command has twice the recording's length beside (default: 600).")
        var timeout: Int?

        @Option(help: "Calls at once, in each worker process (default: 4).")
        var slots: Int?

        @Option(help: "Price of a minute of audio, in your currency (default: 0).")
        var pricePerMinute: String?

        @Option(help: "Price of a million tokens that are sent (default: 0).")
        var pricePerMillionInput: String?

        @Option(help: "Price of a million tokens that come back (default: 0).")
        var pricePerMillionOutput: String?

        @Option(
            help:
                "speech: the largest recording that it takes, in bytes; longer ones are heard in parts. 0 for any (default: of openai 26214400)."
        )
        var maxBytes: Int?

        @Option(help: "speech: the longest recording that it takes, in seconds. 0 for any (default: of openai 1400).")
        var maxSeconds: Int?

        @Option(help: "After a failure that may pass: ask the next engine, or wait and ask this one again (next or wait; default: next).")
        var afterFailure: EngineSettings.AfterFailure?

        @Flag(
            inversion: .prefixedNo,
            help: "openai: the server is your own, so that calls do not leave the machine in the sense of `hosted_processing`.")
        var local: Bool?

        @Option(help: "Its place in the chain, from 1 (default: where it is, a new one at the end).")
        var position: Int?

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            guard (position ?? 1) >= 1 else { throw ValidationError("--position must be 1 or more") }
            _ = try price(changing: .free)
        }

        func run() async throws {
            let engines = try TenantCommand.Engine.administration()
            let all = try TenantCommand.known(try await engines.engines(of: chain.slug), chain.slug)
            let old = all.first { $0.stage == chain.stage && $0.name == name }
            let (made, slug) = (try checked(try settings(changing: old)), chain.slug)
            let set = try TenantCommand.known(try await engines.set(made, at: position, of: slug, by: try admin.who()), slug)
            await admin.announce()
            try await TenantCommand.Engine.show(set, of: slug, json: admin.json)
            if let old, old.kind == made.kind { CommandOutput.note("\(name) was there: what was not given stays as it was") }
            if let secret = made.secret, try await engines.secrets(of: slug)?.contains(where: { $0.name == secret }) != true {
                CommandOutput.note(
                    "the secret \(secret) is not set, and \(name) is passed over until it is: \(TenantCommand.Secret.example(slug, secret))"
                )
            }
            if let note = TenantCommand.Engine.unasked([made], in: try await TenantCommand.tenant(slug)) { CommandOutput.note(note) }
        }

        /// - Parameter old: the engine of this name, if there is one. Of the same kind it keeps what is not given.
        func settings(changing old: EngineSettings? = nil) throws -> EngineSettings {
            guard let kind = kind ?? old?.kind else {
                throw ValidationError("--kind is required for a new engine: local, openai or command")
            }
            let old = old?.kind == kind ? old : nil
            let secret = self.secret.map { $0.isEmpty ? nil : $0 } ?? old?.secret
            return EngineSettings(
                name: name, stage: chain.stage, kind: kind, url: url.map { EngineAddress($0)?.description ?? $0 } ?? old?.url,
                model: model ?? old?.model, secret: secret, command: command.isEmpty ? old?.command ?? [] : command,
                timeoutSeconds: timeout ?? old?.timeoutSeconds ?? 600, slots: slots ?? old?.slots ?? 4,
                price: try price(changing: old?.price ?? .free), maxBytes: maxBytes ?? old.map { $0.maxBytes ?? 0 },
                maxSeconds: maxSeconds ?? old.map { $0.maxSeconds ?? 0 }, afterFailure: afterFailure ?? old?.afterFailure ?? .next,
                isLocal: local ?? old?.isLocal ?? false)
        }

        func checked(_ settings: EngineSettings) throws -> EngineSettings {
            let faults = settings.faults(allowsPrivateHosts: try Environment.process.read(HostedSettings.privateHosts) == 1)
            if let fault = faults.first { throw ValidationError(fault) }
            return settings
        }

        private func price(changing old: EnginePrice) throws -> EnginePrice {
            func millionths(_ text: String?, _ option: String, _ old: Int64) throws -> Int64 {
                guard let text else { return old }
                guard let millionths = EnginePrice.millionths(text) else {
                    throw ValidationError("\(option) must be a number such as 0.006, with at most six digits after the point")
                }
                return millionths
            }
            return EnginePrice(
                perMinute: try millionths(pricePerMinute, "--price-per-minute", old.perMinute),
                perMillionInputTokens: try millionths(pricePerMillionInput, "--price-per-million-input", old.perMillionInputTokens),
                perMillionOutputTokens: try millionths(pricePerMillionOutput, "--price-per-million-output", old.perMillionOutputTokens))
        }
    }
}
