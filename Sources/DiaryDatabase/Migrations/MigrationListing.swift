import DiaryCrypto
import FoundationEssentials
import WireFormats

/// The files of a `migrations/` folder with their SHA-256: SQL, and what is compared with a database.
package struct MigrationListing: Sendable, Equatable {
    struct File: Sendable, Equatable {
        /// Below the folder: `main/0001_name.sql`.
        let path: String
        /// Hex, lower case.
        let sha256: String

        /// The line that `sha256sum` prints.
        var line: String { "\(sha256)  \(path)" }
    }

    package enum Difference: Sendable, Equatable, CustomStringConvertible {
        case missing(String)
        case unknown(String)
        case changed(String)

        package var description: String {
            switch self {
            case .missing(let path): "\(path) is missing"
            case .unknown(let path): "\(path) is not one of them"
            case .changed(let path): "\(path) has another content"
            }
        }
    }

    /// Files in the order of their paths.
    let files: [File]

    /// What this program was built with.
    package static let built = MigrationListing(sha256sums: BuiltMigrations.sha256sums)

    init(sha256sums: String) {
        files = sha256sums.split(separator: "\n").compactMap { line in
            guard let space = line.firstIndex(of: " ") else { return nil }
            return File(path: String(line[space...].drop { $0 == " " }), sha256: String(line[..<space]))
        }
    }

    /// The files of a folder and of its folders `keys` and `main`. Names that end neither in `.sql` nor in `.txt` are ignored.
    init(folder: String) throws(MigrationError) {
        var files: [File] = []
        for part in ["", "keys/", "main/"] {
            guard let entries = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(part)") else {
                throw .unreadable(path: "\(folder)/\(part)")
            }
            for entry in entries where entry.hasSuffix(".sql") || entry.hasSuffix(".txt") {
                let path = part + entry
                guard let content = FileManager.default.contents(atPath: "\(folder)/\(path)") else {
                    throw .unreadable(path: "\(folder)/\(path)")
                }
                files.append(File(path: path, sha256: Hex.encode(SHA256.digest([UInt8](content)))))
            }
        }
        self.files = files.sorted { $0.path < $1.path }
    }

    /// Throws unless the folder holds exactly these files; the error names the first difference by path.
    package func check(_ folder: String) throws(MigrationError) {
        if let difference = difference(try MigrationListing(folder: folder)) { throw .otherFiles(folder: folder, difference) }
    }

    func difference(_ other: MigrationListing) -> Difference? {
        let own = Dictionary(files.map { ($0.path, $0.sha256) }) { first, _ in first }
        let others = Dictionary(other.files.map { ($0.path, $0.sha256) }) { first, _ in first }
        for path in Set(own.keys).union(others.keys).sorted() where own[path] != others[path] {
            if others[path] == nil { return .missing(path) }
            return own[path] == nil ? .unknown(path) : .changed(path)
        }
        return nil
    }

    /// The migrations of one database, in order.
    func migrations(of database: MigratedSchema) -> [AppliedMigration] {
        files.compactMap { file in
            guard file.path.hasPrefix(database.folder + "/"), file.path.hasSuffix(".sql"),
                let (number, name) = MigrationFile.parse(String(file.path.dropFirst(database.folder.utf8.count + 1)))
            else { return nil }
            return AppliedMigration(number: number, name: name, sha256: file.sha256)
        }
    }
}
