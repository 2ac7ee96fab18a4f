import DiaryDatabase
import DiaryHTTP
import Logging
import PostgresClient
import ServiceLifecycle
import Synchronization

/// Compares the schemas of both databases with the program's: before the first request or job (for a database that is down at the start, as
/// soon as it answers), then every five seconds, because a database may be migrated or restored while the service runs.
final class SchemaWatch: Service {
    private let readers: [SchemaReader]
    private let found = Mutex<[MigratedSchema: SchemaComparison]>([:])
    private let logger: Logger

    /// Asks each database once. One that cannot be reached is asked again while the service runs.
    /// - Throws: `SchemaError` when a schema is older than the program, or another one.
    init(main: ConnectionPool, keys: ConnectionPool, logger: Logger) async throws {
        readers = [SchemaReader(.main, pool: main), SchemaReader(.keys, pool: keys)]
        self.logger = logger
        try await ask()
    }

    /// For a database that has not answered yet, `unknown`.
    var state: SchemaState {
        found.withLock { found in readers.map { found[$0.schema]?.state ?? .unknown }.max() ?? .unknown }
    }

    /// Ends the service when a database that was down at the start turns out to have an unusable schema.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while true {
                guard (try? await Task.sleep(for: self.isKnown ? .seconds(5) : .milliseconds(500))) != nil else { return }
                try await self.ask()
            }
        }
    }

    private var isKnown: Bool { found.withLock { $0.count == readers.count } }

    private func ask() async throws {
        let answers = await withTaskGroup(of: (MigratedSchema, SchemaComparison?).self) { group in
            for reader in readers { group.addTask { (reader.schema, try? await reader.compare()) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for case (let schema, let comparison?) in answers {
            let before = found.withLock { $0.updateValue(comparison, forKey: schema) }
            guard before != comparison else { continue }
            if before == nil, !comparison.isUsable { throw SchemaError(schema: schema, comparison: comparison) }
            let level: Logger.Level = before == nil && comparison == .current ? .debug : comparison.isUsable ? .notice : .error
            logger.log(level: level, "schema", metadata: ["database": "\(schema.rawValue)", "state": "\(comparison)"])
        }
    }
}

extension SchemaComparison {
    fileprivate var state: SchemaState {
        switch self {
        case .current: .current
        case .newer: .newer
        case .older: .older
        case .different, .unreadable: .different
        }
    }
}

/// A database whose schema this program must not work on.
struct SchemaError: Error, Equatable, CustomStringConvertible {
    let schema: MigratedSchema
    let comparison: SchemaComparison

    var description: String { "\(schema.rawValue) database: \(comparison)" }
}
