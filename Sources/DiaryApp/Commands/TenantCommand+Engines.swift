import ArgumentParser
import DiaryCore
import DiaryDatabase

extension EngineStage: ExpressibleByArgument {}
extension EngineKind: ExpressibleByArgument {}
extension EngineSettings.AfterFailure: ExpressibleByArgument {}

extension TenantCommand {
    struct Engine: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "engine", abstract: "Sets the engines that transcribe and clean for an app, in the order in which they are asked.",
            discussion: """
                diary tenant engine set my-day speech openai --kind openai --url https://api.openai.com/v1 --model whisper-1 --secret openai-key
                diary tenant engine set my-day speech local --kind local

                A stage without engines of the app's own has those of DIARY_SPEECH and DIARY_CLEANUP. `diary engines test` tries them.
                """,
            subcommands: [List.self, Set.self, Unset.self, Order.self])

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Lists the engines of an app, stage by stage.")

            @Argument(help: "The tenant's slug.")
            var slug: String

            @Flag(help: "Print JSON: [\(EngineReport.form.shape)].")
            var json = false

            func run() async throws {
                let engines = try TenantCommand.known(try await Engine.administration().engines(of: slug), slug)
                try await Engine.show(engines, of: slug, json: json)
            }
        }

        struct Unset: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Takes an engine out of a chain.")

            @OptionGroup var chain: ChainOptions

            @Argument(help: "The engine's name.")
            var name: String

            @OptionGroup var admin: AdminOptions

            func run() async throws {
                let (slug, stage) = (chain.slug, chain.stage)
                let engines = try TenantCommand.known(try await Engine.administration().engines(of: slug), slug)
                guard engines.contains(where: { $0.stage == stage && $0.name == name }) else {
                    throw CommandFailure("\(slug) has no \(stage.rawValue) engine \(name); `diary tenant engine list \(slug)` lists them")
                }
                let left = try TenantCommand.known(
                    try await Engine.administration().unset(name, stage, of: slug, by: try admin.who()), slug)
                await admin.announce()
                try await Engine.show(left, of: slug, json: admin.json)
            }
        }

        struct Order: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Sets the order in which the engines of a stage are asked.")

            @OptionGroup var chain: ChainOptions

            @Argument(help: "Every engine of the stage, by its name.")
            var names: [String]

            @OptionGroup var admin: AdminOptions

            func run() async throws {
                let (slug, stage) = (chain.slug, chain.stage)
                let engines = try TenantCommand.known(
                    try await Engine.administration().order(names, stage, of: slug, by: try admin.who()), slug)
                guard engines.map(\.name) == names else {
                    throw CommandFailure(
                        engines.isEmpty
                            ? "\(slug) has no \(stage.rawValue) engines of its own"
                            : "name every engine of the stage once: \(engines.map(\.name).joined(separator: " "))")
                }
                await admin.announce()
                try await Engine.show(engines, of: slug, json: admin.json)
            }
        }

        /// Names the engines that workers do not ask, because nothing of the app may leave the machine; nil when there are none.
        static func unasked(_ engines: [EngineSettings], in tenant: Tenant) -> String? {
            let hosted = tenant.configuration.hostedProcessing == .off ? engines.filter(\.leavesMachine).map(\.name) : []
            guard !hosted.isEmpty else { return nil }
            return "hosted_processing of \(tenant.slug) is off, so workers do not ask \(hosted.joined(separator: ", ")): "
                + "--local for a server of your own, or `diary tenant set \(tenant.slug) hosted_processing=consent`"
        }

        static func administration() throws -> PostgresEngineAdministration {
            PostgresEngineAdministration(pool: try AdminDatabase.pool())
        }

        static func show(_ engines: [EngineSettings], of slug: String, json: Bool) async throws {
            let secrets = try TenantCommand.known(try await administration().secrets(of: slug), slug)
            EngineReport(engines: engines, secrets: Swift.Set(secrets.map(\.name))).show(json: json)
        }
    }
}

/// Names one chain of engines.
struct ChainOptions: ParsableArguments {
    @Argument(help: "The tenant's slug.")
    var slug: String

    @Argument(help: "speech or text.")
    var stage: EngineStage
}
