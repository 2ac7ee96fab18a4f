import DiaryCore

/// Engines of an app as the commands print them: their settings, never a secret's value.
struct EngineReport {
    let engines: [EngineSettings]
    /// The names of those that are set.
    let secrets: Set<String>

    struct Row: Sendable {
        let position: Int
        let engine: EngineSettings
        let isSecretSet: Bool?
    }

    static let form = ReportForm<Row>(
        .field("stage") { $0.engine.stage.rawValue },
        .field("position", column: "") { $0.position },
        .field("name") { $0.engine.name },
        .member("kind") { $0.engine.kind.rawValue },
        .column("kind") { $0.engine.kind.rawValue + ($0.engine.isLocal ? ", local" : "") },
        .column("where") { $0.engine.url ?? $0.engine.command.joined(separator: " ") },
        .member("url") { $0.engine.url },
        .field("model") { $0.engine.model },
        .member("secret") { $0.engine.secret },
        .column("secret") { row in row.engine.secret.map { row.isSecretSet == true ? $0 : "\($0) (not set)" } ?? "" },
        .member("secret_is_set") { $0.isSecretSet },
        .member("command") { $0.engine.command },
        .field("timeout_seconds", column: "seconds") { $0.engine.timeoutSeconds },
        .field("slots") { $0.engine.slots },
        .column("price") { EngineReport.price($0.engine.price) },
        .member("price_per_minute") { EnginePrice.text($0.engine.price.perMinute) },
        .member("price_per_million_input") { EnginePrice.text($0.engine.price.perMillionInputTokens) },
        .member("price_per_million_output") { EnginePrice.text($0.engine.price.perMillionOutputTokens) },
        .member("max_bytes") { $0.engine.maxBytes },
        .member("max_seconds") { $0.engine.maxSeconds },
        .field("after_failure") { $0.engine.afterFailure.rawValue },
        // Whether a server of the kind `openai` is the operator's own.
        .member("local") { $0.engine.isLocal })

    func show(json: Bool) {
        let rows = EngineStage.allCases.flatMap { stage in
            engines.filter { $0.stage == stage }.enumerated().map { index, engine in
                Row(position: index + 1, engine: engine, isSecretSet: engine.secret.map { secrets.contains($0) })
            }
        }
        if rows.isEmpty, !json { return print("no engines of its own: those of DIARY_SPEECH and DIARY_CLEANUP are asked") }
        Self.form.show(rows, json: json)
    }

    private static func price(_ price: EnginePrice) -> String {
        let parts = [
            (price.perMinute, "a minute"), (price.perMillionInputTokens, "a million in"), (price.perMillionOutputTokens, "a million out"),
        ]
        return parts.filter { $0.0 != 0 }.map { "\(EnginePrice.text($0.0)) \($0.1)" }.joined(separator: ", ")
    }
}
