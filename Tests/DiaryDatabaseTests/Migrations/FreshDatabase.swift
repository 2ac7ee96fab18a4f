import PostgresClient
import TestServers
import TestSupport

@testable import DiaryDatabase

/// A database migrated for one test: a copy of a template has lost what is granted on the database itself.
struct FreshDatabase: Sendable {
    let schema: MigratedSchema
    let server: PrivatePostgres
    let name: String

    /// Empty; the service's roles are there.
    static func empty(_ schema: MigratedSchema) async throws -> FreshDatabase {
        let server = try await MigratedDatabase.shared().server
        let name = try await server.newDatabase(owner: "diary_owner")
        try await server.sql("alter schema public owner to diary_owner", database: name)
        return FreshDatabase(schema: schema, server: server, name: name)
    }

    static func migrated(_ schema: MigratedSchema) async throws -> FreshDatabase {
        let database = try await empty(schema)
        try await database.migrator.up()
        return database
    }

    var migrator: Migrator {
        Migrator(
            connection: ConnectionSettings(conninfo: server.conninfo(database: name, user: "diary_owner")),
            directory: MigratedDatabase.migrations + "/" + schema.folder, logger: .quiet)
    }

    func pool(_ role: MigratedDatabase.Role) throws -> ConnectionPool {
        try ConnectionPool(
            ConnectionPool.Configuration(
                connection: ConnectionSettings(conninfo: server.conninfo(database: name, user: role.rawValue)), size: 1,
                checkoutDeadline: .seconds(30)),
            logger: .quiet)
    }

    /// As the superuser.
    func sql(_ text: String) async throws { try await server.sql(text, database: name) }
}
