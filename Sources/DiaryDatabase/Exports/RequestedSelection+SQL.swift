import DiaryCore
import PostgresClient

/// Checks that the entry and the earlier export which a selection names exist. `$1` and `$2` are the owner's tenant and user.
extension RequestedSelection {
    /// - Parameter entry: an expression; true when it is null.
    static func hasEntry(_ entry: String) -> String {
        """
        (\(entry)::uuid is null or exists (select from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.id = \(entry) and e.deleted_at is null))
        """
    }

    /// True once the zip of the snapshot was made, whether or not it still exists: the owner never got the contents of an export that
    /// failed.
    /// - Parameter export: an expression; true when it is null.
    static func hasSnapshot(_ export: String) -> String {
        """
        (\(export)::uuid is null or exists (select from exports y
            where y.tenant_id = $1 and y.user_id = $2 and y.id = \(export) and y.ready_at is not null and y.changes_upto is not null))
        """
    }

    /// The columns that `ExportSelectionFault(row:at:)` reads.
    static func facts(entry: String, since export: String) -> String {
        """
        \(hasEntry(entry)), \(hasSnapshot(export)),
            exists (select from exports y where y.tenant_id = $1 and y.user_id = $2 and y.id = \(export)
                and y.status in ('queued', 'building') and y.revoked_at is null)
        """
    }
}

extension ExportSelectionFault {
    /// nil: everything is there.
    init?(_ row: Row, at first: Int) throws(DatabaseError) {
        if try !row.bool(first) {
            self = .noEntry
        } else if try !row.bool(first + 1) {
            self = try row.bool(first + 2) ? .snapshotNotTaken : .noSnapshot
        } else {
            return nil
        }
    }
}
