package import PostgresClient

/// Compares a database's schema with this program's, in one small query of a role that only reads.
package struct SchemaReader: Sendable {
    package let schema: MigratedSchema
    private let pool: ConnectionPool
    private let built: [AppliedMigration]

    package init(_ schema: MigratedSchema, pool: ConnectionPool) {
        self.init(schema, pool: pool, built: MigrationListing.built.migrations(of: schema))
    }

    init(_ schema: MigratedSchema, pool: ConnectionPool, built: [AppliedMigration]) {
        self.schema = schema
        self.pool = pool
        self.built = built
    }

    /// Throws while the database cannot be asked.
    package func compare() async throws(DatabaseError) -> SchemaComparison {
        do {
            return SchemaComparison(built: built, applied: try AppliedMigration.all(try await pool.run([AppliedMigration.statement])))
        } catch {
            // No such table, or not for this role: never migrated, or last migrated before services read it.
            if case .statement(let sqlstate) = error.kind, ["42P01", "42501"].contains(sqlstate) { return .unreadable(sqlstate: sqlstate) }
            throw error
        }
    }
}

/// One of the service's two databases.
package enum MigratedSchema: String, Sendable, CaseIterable {
    case main
    case keys

    /// The folder of its migrations, in `migrations/`.
    package var folder: String { rawValue }
}

/// A row of `schema_migrations`.
struct AppliedMigration: Sendable {
    let number: Int
    let name: String
    let sha256: String

    static let statement = Statement("select number, name, sha256 from schema_migrations order by number")

    static func all(_ answers: [Rows]) throws(DatabaseError) -> [AppliedMigration] {
        var all: [AppliedMigration] = []
        for rows in answers {
            for var row in rows { all.append(AppliedMigration(number: try row.count(), name: try row.text(), sha256: try row.text())) }
        }
        return all
    }
}
