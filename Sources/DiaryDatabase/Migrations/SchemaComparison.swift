/// The migrations of a database beside those that this program was built with.
package enum SchemaComparison: Sendable, Equatable {
    case current
    /// The database also has these. Migrations take nothing away that the version before them uses, so that a program may run on a newer schema
    /// while its processes are replaced.
    case newer([Migration])
    /// These are not applied.
    case older([Migration])
    /// Applied with another content: a database of another program.
    case different(Migration)
    /// The role may not read the applied migrations, or there are none.
    case unreadable(sqlstate: String)

    package var isUsable: Bool {
        switch self {
        case .current, .newer: true
        case .older, .different, .unreadable: false
        }
    }

    init(built: [AppliedMigration], applied: [AppliedMigration]) {
        let rows = Dictionary(applied.map { ($0.number, $0.sha256) }) { first, _ in first }
        let missing = built.filter { rows[$0.number] == nil }
        let unknown = applied.filter { row in !built.contains { $0.number == row.number } }
        if let other = built.first(where: { rows[$0.number].map { [sha256 = $0.sha256] in $0 != sha256 } ?? false }) {
            self = .different(Migration(number: other.number, name: other.name))
        } else if !missing.isEmpty {
            self = .older(missing.map { Migration(number: $0.number, name: $0.name) })
        } else if !unknown.isEmpty {
            self = .newer(unknown.map { Migration(number: $0.number, name: $0.name) })
        } else {
            self = .current
        }
    }
}

extension SchemaComparison: CustomStringConvertible {
    package var description: String {
        switch self {
        case .current: "the schema is this program's"
        case .newer(let more): "migrations \(Self.list(more)) are newer than this program"
        case .older(let missing): "migrations \(Self.list(missing)) are not applied: run `diary migrate up`"
        case .different(let other): "migration \(Self.list([other])) is not the one this program was built with"
        case .unreadable(let sqlstate):
            "the applied migrations cannot be read [\(sqlstate)]: run `diary migrate up`, and `diary migrate verify` if that changes nothing"
        }
    }

    private static func list(_ migrations: [Migration]) -> String {
        migrations.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
    }
}
