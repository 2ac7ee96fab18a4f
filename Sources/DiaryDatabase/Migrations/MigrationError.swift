package import PostgresClient

/// Why migrations were refused or failed. File names and numbers only; no SQL, no values.
package enum MigrationError: Error, Sendable, Equatable {
    case unreadable(path: String)
    /// The folder does not hold the files that this program was built with.
    case otherFiles(folder: String, MigrationListing.Difference)
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
    /// Roles may do less or more than the migrations let them, or row-level security is another. Lines of `rights.sql`.
    case rights(missing: [String], unexpected: [String])
    /// The server refused the file; `line` counts from 1.
    case failed(number: Int, name: String, line: Int?, cause: DatabaseError)
    case database(DatabaseError)
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path): "cannot read migrations in \(path)"
        case .otherFiles(let folder, let difference):
            "\(folder) does not hold the migrations that this program was built with: \(difference). Install both from the same version"
        case .badName(let name): "migration file name \(name) is not like 0001_name.sql"
        case .duplicate(let number): "two migrations have number \(number)"
        case .gap(let number): "migration \(number) is missing in between"
        case .changed(let number, let name): "migration \(number) \(name) was changed after it was applied"
        case .newer(let number, let name): "the database has migration \(number) \(name), which this version does not know"
        case .pending(let numbers): "migrations not applied: \(numbers.map(String.init).joined(separator: ", "))"
        case .rights(let missing, let unexpected):
            (["rights in the database are not those that the migrations give:"] + missing.map { "missing: \($0)" }
                + unexpected.map { "unexpected: \($0)" }).joined(separator: "\n  ")
        case .failed(let number, let name, let line, let cause):
            "migration \(number) \(name) failed\(line.map { " at line \($0)" } ?? ""): \(cause)"
        case .database(let cause): "migrations: \(cause)"
        }
    }
}
