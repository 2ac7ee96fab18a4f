import PostgresClient

/// A row of `schema_migrations`.
struct AppliedMigration: Sendable {
    let number: Int
    let name: String
    let sha256: String

    static let statement = Statement("select number, name, sha256 from schema_migrations order by number")

    static func all(_ answers: [Rows]) throws(DatabaseError) -> [AppliedMigration] {
        var all: [AppliedMigration] = []
        for rows in answers {
            for row in rows { all.append(AppliedMigration(number: Int(try row.int(0)), name: try row.text(1), sha256: try row.text(2))) }
        }
        return all
    }
}
