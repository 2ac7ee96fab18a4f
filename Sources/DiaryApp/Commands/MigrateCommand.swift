import ArgumentParser
import DiaryDatabase
import FoundationEssentials
import Logging

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings both databases to this version's schema.",
        discussion: "Connects as diary_owner. The roles are made once per cluster by a superuser: psql -f migrations/roles.sql",
        subcommands: [Up.self, Status.self, Verify.self])

    struct Up: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Applies pending migrations. Of two processes at once one applies them.")

        func run() async throws {
            for schema in try Schema.both() {
                for migration in try await schema.migrator.up() { print("\(schema.name): applied \(migration.number) \(migration.name)") }
                print("\(schema.name): up to date")
            }
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists migrations and their state.")

        @Flag(help: "Print JSON: [{database, number, name, state}].")
        var json = false

        func run() async throws {
            var rows: [Row] = []
            for schema in try Schema.both() {
                rows += try await schema.migrator.status().map {
                    Row(database: schema.name, number: $0.number, name: $0.name, state: $0.state.rawValue)
                }
            }
            if json {
                print(String(decoding: try JSONEncoder().encode(rows), as: UTF8.self))
            } else {
                var table = TextTable("database", "number", "name", "state")
                for row in rows { table.add(row.database, String(row.number), row.name, row.state) }
                table.show()
            }
        }

        private struct Row: Encodable {
            let database: String
            let number: Int
            let name: String
            let state: String
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Exits with an error unless both databases have exactly this version's schema and its roles' rights.",
            discussion: "Each right, policy or owner that differs from what the migrations give is named.")

        func run() async throws {
            for schema in try Schema.both() {
                try await schema.migrator.verify()
                print("\(schema.name): as it should be")
            }
        }
    }
}

/// One database and the folder of its migrations.
struct Schema {
    let name: String
    let migrator: Migrator

    static func both() throws -> [Schema] {
        let environment = Environment.process
        return try both(try DatabaseSettings(environment), try InstalledFiles.find(environment), Logger(label: "diary-migrate"))
    }

    /// Throws when the files found are not those that this program was built with: an older folder would pass for an up-to-date schema.
    static func both(_ database: DatabaseSettings, _ files: InstalledFiles, _ logger: Logger) throws(MigrationError) -> [Schema] {
        try MigrationListing.built.check(files.folder + "/migrations")
        return [
            Schema(name: "main", migrator: Migrator(connection: database.main(as: .owner), directory: files.migrations, logger: logger)),
            Schema(name: "keys", migrator: Migrator(connection: database.keys(as: .owner), directory: files.keyMigrations, logger: logger)),
        ]
    }
}
