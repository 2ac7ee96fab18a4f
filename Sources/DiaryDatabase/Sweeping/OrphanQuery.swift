import DiaryCore
import FoundationEssentials
import PostgresClient

/// Asks which of some objects no row names: for their places, from 1. For workers, administration and the check after a restore.
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

}

extension Array {
    /// The elements at these places, from 1.
    func elements(at places: [Int64]) -> [Element] {
        let places = Set(places)
        return zip(Int64(1)..., self).filter { places.contains($0.0) }.map(\.1)
    }
}

extension Row {
    /// From one column to the next.
    mutating func times() throws(DatabaseError) -> ClosedRange<Date> {
        let (since, until) = (try date(), try date())
        return since...max(since, until)
    }
}
