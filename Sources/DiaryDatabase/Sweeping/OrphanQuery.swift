import DiaryCore
import FoundationEssentials
import PostgresClient

/// Asks which of some objects no row names. For workers, administration and the check after a restore.
struct OrphanQuery: Sendable {
    let keys: [ObjectKey]

    var statement: Statement {
        Statement(
            "select * from sweep_orphans($1, $2, $3, $4)",
            [
                .texts(keys.map(\.kind.rawValue)), .uuids(keys.map(\.tenant.uuid)), .uuids(keys.map(\.user.uuid)),
                .uuids(keys.map(\.object)),
            ])
    }

    /// - Parameter rows: the places of the orphans, from 1.
    func orphans(_ rows: Rows) throws(DatabaseError) -> [ObjectKey] {
        let places = Set(try rows.map { row throws(DatabaseError) in try row.int(0) })
        return zip(Int64(1)..., keys).filter { places.contains($0.0) }.map(\.1)
    }
}

extension Rows {
    /// Times from one column to the next.
    func times(at first: Int = 0) throws(DatabaseError) -> [ClosedRange<Date>] {
        try map { row throws(DatabaseError) in
            let (since, until) = (try row.date(first), try row.date(first + 1))
            return since...Swift.max(since, until)
        }
    }
}
