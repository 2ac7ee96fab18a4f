package import PostgresClient

/// Why migrations were refused or failed. File names and numbers only; no SQL, no values.
package enum MigrationError: Error, Sendable, Equatable {
    case unreadable(path: String)
    /// A `.sql` file that is not named `0001_name.sql`.
    case badName(String)
    case duplicate(number: Int)
    /// A number is skipped, in the folder or among the applied ones.
    case gap(number: Int)
    /// An applied file was changed afterwards.
    case changed(number: Int, name: String)
    /// The database holds a migration that this program does not have.
    case newer(number: Int, name: String)
    /// What the program needs is not applied yet.
    case pending(numbers: [Int])
    /// The server refused the file; `line` counts from 1.
    case failed(number: Int, name: String, line: Int?, cause: DatabaseError)
    case database(DatabaseError)
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path): "cannot read migrations in \(path)"
        case .badName(let name): "migration file name \(name) is not like 0001_name.sql"
        case .duplicate(let number): "two migrations have number \(number)"
        case .gap(let number): "migration \(number) is missing in between"
        case .changed(let number, let name): "migration \(number) \(name) was changed after it was applied"
        case .newer(let number, let name): "the database has migration \(number) \(name), which this version does not know"
        case .pending(let numbers): "migrations not applied: \(numbers.map(String.init).joined(separator: ", "))"
        case .failed(let number, let name, let line, let cause):
            "migration \(number) \(name) failed\(line.map { " at line \($0)" } ?? ""): \(cause)"
        case .database(let cause): "migrations: \(cause)"
        }
    }
}
