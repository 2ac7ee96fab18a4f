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
