package import Logging
package import PostgresClient

/// Brings a database to the schema of a folder of numbered SQL files, forward only.
///
/// Each file runs once, in one transaction with its row in `schema_migrations`, so a run that is killed at any point can be repeated.
/// An advisory lock lets two processes that start together apply each file once.
package struct Migrator: Sendable {
    private let connection: ConnectionSettings
    private let directory: String
    private let lockDeadline: Duration
    private let logger: Logger

    /// Number of the session-level advisory lock: the bytes of "diary".
    private static let lock: Int64 = 0x64_69_61_72_79

    /// - Parameters:
    ///   - connection: of the role that owns the schema. Its statement timeout is lifted.
    ///   - directory: the folder of `0001_name.sql` …
    ///   - lockDeadline: how long to wait for another process that migrates.
    package init(connection: ConnectionSettings, directory: String, lockDeadline: Duration = .seconds(300), logger: Logger) {
        var connection = connection
        connection.statementTimeout = .zero
        self.connection = connection
        self.directory = directory
        self.lockDeadline = lockDeadline
        self.logger = logger
    }

    /// Applies what is pending and returns it. Refuses before the first change when an applied file was changed or a number is skipped. In a
    /// database that is newer than the files nothing is pending: an older program may be put back.
    @discardableResult
    package func up() async throws(MigrationError) -> [Migration] {
        let files = try MigrationFile.read(directory)
        let session = try open()
        defer { session.close() }
        let states: [MigrationStatus]
        do {
            // Waiting for another migrating process has its own limit. A file that waits for a table's lock blocks the service, so it
            // waits 10 s at most.
            try await session.runScript(
                """
                set lock_timeout = \(lockDeadline.wholeMilliseconds);
                select pg_advisory_lock(\(Self.lock));
                set lock_timeout = 10000;
                """)
            try await session.runScript(Self.table)
            states = Self.compare(files, try await applied(session))
        } catch {
            throw .database(error)
        }
        try Self.refuse(states, allowingNewer: true)
        for status in states where status.state == .missing {
            logger.notice(
                "the database has a migration that this version does not know",
                metadata: ["number": .stringConvertible(status.number), "name": "\(status.name)"])
        }
        let pending = Set(states.filter { $0.state == .pending }.map(\.number))
        var done: [Migration] = []
        for file in files where pending.contains(file.number) {
            try await apply(file, session)
            logger.info("migration applied", metadata: ["number": .stringConvertible(file.number), "name": "\(file.name)"])
            done.append(Migration(number: file.number, name: file.name))
        }
        return done
    }

    /// Files and applied migrations side by side, by number. Changes nothing.
    package func status() async throws(MigrationError) -> [MigrationStatus] {
        let files = try MigrationFile.read(directory)
        let session = try open()
        defer { session.close() }
        do {
            guard try await session.run([Statement("select to_regclass('schema_migrations') is not null")]).first?.first?.bool(0) == true
            else { return Self.compare(files, []) }
            return Self.compare(files, try await applied(session))
        } catch {
            throw .database(error)
        }
    }

    /// Throws unless the database has exactly these migrations, and its roles exactly the rights that `rights.txt` of the folder lists. A folder
    /// without that file says nothing about rights, nor does it about those of a newer database.
    /// - Parameter allowingNewer: for rolling upgrades, in which the old program runs on a newer schema.
    package func verify(allowingNewer: Bool = false) async throws(MigrationError) {
        let states = try await status()
        try Self.refuse(states, allowingNewer: allowingNewer)
        let pending = states.filter { $0.state == .pending }.map(\.number)
        if !pending.isEmpty { throw .pending(numbers: pending) }
        guard states.allSatisfy({ $0.state == .applied }), let rights = try RightsListing.read(directory) else { return }
        let session = try open()
        defer { session.close() }
        try await rights.compare(session)
    }

    // MARK: Steps

    private static let table = """
        create table if not exists schema_migrations (
            number int constraint schema_migrations_pkey primary key,
            name text not null,
            sha256 text not null,
            applied_at timestamptz not null default now()
        )
        """

    private func open() throws(MigrationError) -> DedicatedConnection {
        do {
            return try DedicatedConnection(connection, logger: logger)
        } catch {
            throw .database(error)
        }
    }

    private func applied(_ session: DedicatedConnection) async throws(DatabaseError) -> [AppliedMigration] {
        try AppliedMigration.all(try await session.run([AppliedMigration.statement]))
    }

    private static func compare(_ files: [MigrationFile], _ applied: [AppliedMigration]) -> [MigrationStatus] {
        let rows = Dictionary(applied.map { ($0.number, $0) }) { first, _ in first }
        let known = files.map { file in
            let state: MigrationStatus.State = rows[file.number].map { $0.sha256 == file.sha256 ? .applied : .changed } ?? .pending
            return MigrationStatus(number: file.number, name: file.name, state: state)
        }
        let numbers = Set(files.map(\.number))
        let unknown = applied.filter { !numbers.contains($0.number) }
            .map { MigrationStatus(number: $0.number, name: $0.name, state: .missing) }
        return (known + unknown).sorted { $0.number < $1.number }
    }

    private static func refuse(_ states: [MigrationStatus], allowingNewer: Bool) throws(MigrationError) {
        var firstPending: Int?
        for status in states {
            switch status.state {
            case .changed: throw .changed(number: status.number, name: status.name)
            case .missing where !allowingNewer: throw .newer(number: status.number, name: status.name)
            case .pending: firstPending = firstPending ?? status.number
            case .applied, .missing:
                if let firstPending { throw .gap(number: firstPending) }
            }
        }
    }

    private func apply(_ file: MigrationFile, _ session: DedicatedConnection) async throws(MigrationError) {
        let row = "insert into schema_migrations (number, name, sha256) values (\(file.number), '\(file.name)', '\(file.sha256)')"
        let opening = "begin;\n"
        do {
            try await session.runScript("\(opening)\(file.sql)\n;\(row);\ncommit;")
        } catch {
            let line = error.position.map { Self.line(at: $0 - opening.unicodeScalars.count, in: file.sql) }
            throw .failed(number: file.number, name: file.name, line: line, cause: error)
        }
    }

    /// The server counts characters from 1.
    private static func line(at position: Int, in sql: String) -> Int {
        sql.unicodeScalars.prefix(max(0, position - 1)).count { $0 == "\n" } + 1
    }
}

package struct MigrationStatus: Sendable, Equatable {
    package enum State: String, Sendable {
        case applied
        /// In the folder, not yet in the database.
        case pending
        /// Applied, but the file is another one now.
        case changed
        /// Applied, and there is no such file: the database is newer than this program.
        case missing
    }

    package let number: Int
    package let name: String
    package let state: State
}
