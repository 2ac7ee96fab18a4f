/// The databases' schemas beside the one this program was built for; of two the worse.
package enum SchemaState: String, Sendable, Comparable {
    case current
    /// Migrated by a newer program, while processes are replaced.
    case newer
    /// Not asked yet, because a database is down.
    case unknown
    /// Migrations are missing.
    case older
    /// The schema is another program's, or the service's role cannot read it.
    case different

    var isUsable: Bool { self == .current || self == .newer }

    private var rank: Int {
        switch self {
        case .current: 0
        case .newer: 1
        case .unknown: 2
        case .older: 3
        case .different: 4
        }
    }

    package static func < (left: SchemaState, right: SchemaState) -> Bool { left.rank < right.rank }
}
