import DiaryCore
import PostgresClient

extension LeasedJob {
    static let columns = "id, tenant_id, user_id, kind, subject, attempt, errors, crashes, cost::float8"

    /// Decodes kinds of other versions, too.
    init(_ row: Row) throws(DatabaseError) {
        self.init(
            id: JobID(try row.uuid(0)), owner: Owner(tenant: TenantID(try row.uuid(1)), user: UserID(try row.uuid(2))),
            kind: JobKind(rawValue: try row.text(3)), subject: try row.uuid(4), attempt: Int(try row.int(5)), errors: Int(try row.int(6)),
            crashes: Int(try row.int(7)), cost: try row.double(8))
    }

    /// `$1` and `$2` of a fenced statement.
    var fence: [Parameter] { [.uuid(id.uuid), .int4(Int32(clamping: attempt))] }
}
