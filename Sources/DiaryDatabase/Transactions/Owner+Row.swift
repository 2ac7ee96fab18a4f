import DiaryCore
import PostgresClient

extension Owner {
    /// From the first two columns, which are tenant and user.
    init(_ row: Row) throws(DatabaseError) {
        self.init(tenant: TenantID(try row.uuid(0)), user: UserID(try row.uuid(1)))
    }

    /// `$1` and `$2` of every statement.
    var parameters: [Parameter] { [.uuid(tenant.uuid), .uuid(user.uuid)] }
}
