import ArgumentParser
import DiaryDatabase
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

        private static let form = ReportForm<(database: String, migration: MigrationStatus)>(
            .field("database") { $0.database },
            .field("number") { $0.migration.number },
            .field("name") { $0.migration.name },
            .field("state") { $0.migration.state.rawValue })

        @Flag(help: "Print JSON: [\(Self.form.shape)].")
        var json = false

        func run() async throws {
            var rows: [(database: String, migration: MigrationStatus)] = []
            for schema in try Schema.both() { rows += try await schema.migrator.status().map { (database: schema.name, migration: $0) } }
            Self.form.show(rows, json: json)
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
