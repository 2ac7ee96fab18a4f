import DiaryCore

/// SQL that makes jobs ready. The kind is a parameter of the statement, never a word in it.
enum JobInsertion {
    /// One job for each row of `rows`; without `rows`, one job. `$1` and `$2` are the owner's tenant and user; the other arguments are
    /// SQL expressions.
    /// - Parameter cost: seconds of work; without it that of a small job.
    static func sql(id: String, kind: String, subject: String, cost: String? = nil, from rows: String? = nil) -> String {
        "insert into jobs (id, tenant_id, user_id, kind, subject, cost) select \(id), $1, $2, \(kind), \(subject), \(cost ?? small)"
            + (rows.map { " from \($0)" } ?? "")
    }

    private static let small = "\(JobCost.small)"

    /// Any stage of the entry `row`: what its size and, once it is known, its duration say (`JobCost`). A typed text has neither.
    static func cost(ofEntry row: String) -> String {
        "coalesce(greatest(0.5 + \(row).size_bytes / 50000000.0, 1 + \(row).duration_s / 4), \(small))"
    }

    /// The export `row`: two milliseconds for each entry of its days, and its recordings at 20 MB a second. The same is in the function
    /// `admin_create_export`.
    static func cost(ofExport row: String) -> String {
        """
        (select 0.5 + count(*) * 0.002
                + coalesce(sum(e.size_bytes) filter (where \(row).include_audio and e.audio_removed_at is null), 0) / 20000000.0
            from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null
                and \(DayRange.from("\(row).from_day")) and \(DayRange.to("\(row).to_day"))
                and (\(row).kind is null or e.kind = \(row).kind) and (\(row).entry_ids is null or e.id = any (\(row).entry_ids))
                and (\(row).changed_after is null or e.change_number > \(row).changed_after)
                and (\(row).tag_hashes is null or e.label_hashes @> \(row).tag_hashes))
        """
    }
}
