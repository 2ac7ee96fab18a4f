import DiaryCore

/// Engines of an app as the commands print them: their settings, never a secret's value.
struct EngineReport {
    let engines: [EngineSettings]
    /// The names of those that are set.
    let secrets: Set<String>

    private struct Row: Encodable {
        let stage: String
        let position: Int
        let name: String
        let kind: String
        let url: String?
        let model: String?
        let secret: String?
        let secret_is_set: Bool?
        let command: [String]
        let timeout_seconds: Int
        let slots: Int
        let price_per_minute: String
        let price_per_million_input: String
        let price_per_million_output: String
        let max_bytes: Int?
        let max_seconds: Int?
        let after_failure: String
        /// Whether a server of the kind `openai` is the operator's own.
        let local: Bool
    }

    func show(json: Bool) throws {
        let rows = rows
        if json { return try CommandOutput.json(rows) }
        if rows.isEmpty { return print("no engines of its own: those of DIARY_SPEECH and DIARY_CLEANUP are asked") }
        var table = TextTable("stage", "", "name", "kind", "where", "model", "secret", "seconds", "slots", "price", "after failure")
        for row in rows {
            table.add(
                row.stage, String(row.position), row.name, row.local ? "\(row.kind), local" : row.kind,
                row.url ?? row.command.joined(separator: " "), row.model ?? "",
                row.secret.map { row.secret_is_set == true ? $0 : "\($0) (not set)" } ?? "", String(row.timeout_seconds), String(row.slots),
                Self.price(row), row.after_failure)
        }
        table.show()
    }

    private var rows: [Row] {
        EngineStage.allCases.flatMap { stage in
            engines.filter { $0.stage == stage }.enumerated().map { index, engine in
                Row(
                    stage: stage.rawValue, position: index + 1, name: engine.name, kind: engine.kind.rawValue, url: engine.url,
                    model: engine.model, secret: engine.secret, secret_is_set: engine.secret.map { secrets.contains($0) },
                    command: engine.command, timeout_seconds: engine.timeoutSeconds, slots: engine.slots,
                    price_per_minute: EnginePrice.text(engine.price.perMinute),
                    price_per_million_input: EnginePrice.text(engine.price.perMillionInputTokens),
                    price_per_million_output: EnginePrice.text(engine.price.perMillionOutputTokens),
                    max_bytes: engine.maxBytes, max_seconds: engine.maxSeconds,
                    after_failure: engine.afterFailure.rawValue, local: engine.isLocal)
            }
        }
    }

    private static func price(_ row: Row) -> String {
        let parts = [
            (row.price_per_minute, "a minute"), (row.price_per_million_input, "a million in"),
            (row.price_per_million_output, "a million out"),
        ]
        return parts.filter { $0.0 != "0" }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
