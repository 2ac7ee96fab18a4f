import DiaryCore

/// SQL that makes the export of a schedule's run.
enum ScheduledExport {
    /// Inserts an export for the row `s` of `source`, whose mail and contents are the schedule's; `$1` and `$2` are the owner's tenant and user. The
    /// other arguments are SQL expressions. An export of the same run is left as it is.
    ///
    /// It has what changed after the schedule's last export that became ready: `changes_upto`, of the snapshot of that one. Without it, everything.
    static func insert(id: String, maxDownloads: String, period: String, source: String) -> String {
        """
        insert into exports as x (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, mail_asked,
            formats, layer, kind, tags_sealed, tag_hashes, changed_after, covered_from, covered_to, schedule_id, period)
        select $1, $2, \(id), date '0001-01-01', date '9999-12-31', s.time_zone, s.include_audio, \(maxDownloads), ''::bytea,
            s.mail and address_is_proved($1, $2), s.formats, s.layer, s.kind, s.tags_sealed, s.tag_hashes, c.changes_upto,
            c.first_day, c.last_day, s.id, \(period)
        from \(source) s left join lateral (
            -- The clock may have been set back since.
            select s.changes_upto, (least(s.last_at, clock_timestamp()) at time zone s.time_zone)::date as first_day,
                (clock_timestamp() at time zone s.time_zone)::date as last_day
            where s.covers = 'changes' and s.changes_upto is not null) c on true
        on conflict (tenant_id, user_id, schedule_id, period) where schedule_id is not null do nothing
        """
    }
}
