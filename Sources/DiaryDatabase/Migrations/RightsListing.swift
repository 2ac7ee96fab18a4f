import FoundationEssentials
import PostgresClient

/// Who may do what after all migrations of a database, a line for each fact. A dump restored without `-C` or a manual grant changes it while
/// every migration stays applied.
struct RightsListing: Sendable {
    /// Prints the lines of a database.
    let query: String
    let lines: [String]

    /// `rights.txt` of a folder of migrations with `rights.sql` above it; nil when the first is not there.
    static func read(_ directory: String) throws(MigrationError) -> RightsListing? {
        guard let expected = FileManager.default.contents(atPath: directory + "/rights.txt") else { return nil }
        guard let query = FileManager.default.contents(atPath: directory + "/../rights.sql") else {
            throw .unreadable(path: directory + "/../rights.sql")
        }
        return RightsListing(
            query: String(decoding: query, as: UTF8.self),
            lines: String(decoding: expected, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    func compare(_ session: DedicatedConnection) async throws(MigrationError) {
        var found: [String] = []
        do {
            for rows in try await session.run([Statement(query)]) {
                for row in rows { found.append(try row.text(0)) }
            }
        } catch {
            throw .database(error)
        }
        let missing = lines.filter { !found.contains($0) }
        let unexpected = found.filter { !lines.contains($0) }
        if !missing.isEmpty || !unexpected.isEmpty { throw .rights(missing: missing, unexpected: unexpected) }
    }
}
