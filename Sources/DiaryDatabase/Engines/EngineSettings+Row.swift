import DiaryCore
import PostgresClient

extension EngineSettings {
    /// The columns in the order in which `init(_:)` reads them.
    static let columns = """
        name, stage, kind, url, model, secret, command, timeout_seconds, slots, price_per_minute, price_per_million_input,
            price_per_million_output, after_failure, is_local, max_bytes, max_seconds
        """

    /// nil for an engine that only another version of the service knows how to ask.
    init?(_ row: Row) throws(DatabaseError) {
        guard let stage = EngineStage(rawValue: try row.text(1)), let kind = EngineKind(rawValue: try row.text(2)),
            let afterFailure = AfterFailure(rawValue: try row.text(12))
        else { return nil }
        self.init(
            name: try row.text(0), stage: stage, kind: kind, url: try row.textOrNil(3), model: try row.textOrNil(4),
            secret: try row.textOrNil(5), command: try row.texts(6), timeoutSeconds: Int(clamping: try row.int(7)),
            slots: Int(clamping: try row.int(8)),
            price: EnginePrice(
                perMinute: try row.int(9), perMillionInputTokens: try row.int(10), perMillionOutputTokens: try row.int(11)),
            maxBytes: try row.intOrNil(14).map { Int(clamping: $0) }, maxSeconds: try row.intOrNil(15).map { Int(clamping: $0) },
            afterFailure: afterFailure, isLocal: try row.bool(13))
    }

    static func all(_ rows: Rows) throws(DatabaseError) -> [EngineSettings] {
        var engines: [EngineSettings] = []
        for row in rows { if let engine = try EngineSettings(row) { engines.append(engine) } }
        return engines
    }
}
