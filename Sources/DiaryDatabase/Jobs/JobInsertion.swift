/// SQL that makes jobs ready. The kind is a parameter of the statement, never a word in it.
enum JobInsertion {
    /// One job for each row of `rows`; without `rows`, one job. `$1` and `$2` are the owner's tenant and user; the other arguments are
    /// SQL expressions.
    static func sql(id: String, kind: String, subject: String, from rows: String? = nil) -> String {
        "insert into jobs (id, tenant_id, user_id, kind, subject) select \(id), $1, $2, \(kind), \(subject)"
            + (rows.map { " from \($0)" } ?? "")
    }
}
