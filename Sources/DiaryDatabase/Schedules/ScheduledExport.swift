import DiaryCore

/// SQL that makes the export of a schedule's run.
enum ScheduledExport {
    /// Inserts an export for the row `s` of `source`, whose days, mail and contents are the schedule's; `$1` and `$2` are the owner's tenant and
    /// user. The other arguments are SQL expressions. An export of the same period is left as it is.
    ///
    /// What changed is counted from the schedule's last export that became ready and was not lost, and before the changes of a lost one that no
    /// other has: one that failed, that is being made or that ended before anyone had it has reached no one.
    ///
    /// A period also has late entries of earlier days: those that were not in the snapshot of the export of a period that is found likewise, and
    /// were created, heard or moved there after that export, less a minute: a transaction that the snapshot does not see may have begun so long before.
    static func insert(id: String, from: String, to: String, maxDownloads: String, period: String, source: String) -> String {
        """
        insert into exports as x (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, mail_asked,
            formats, layer, kind, tags_sealed, tag_hashes, since_export, changed_after, schedule_id, period, late_after, late_since)
        select $1, $2, \(id), \(from), \(to), s.time_zone, s.include_audio, \(maxDownloads), ''::bytea, s.mail and address_is_proved($1, $2),
            s.formats, s.layer, s.kind, s.tags_sealed, s.tag_hashes, b.id, b.changes_upto, s.id, \(period),
            p.changes_upto, p.created_at - interval '1 minute'
        from \(source) s
        -- `offset 0`: computed once, and not for each export.
        cross join lateral (select lower(schedule_uncovered_changes($1, $2, s.id)) as first offset 0) u
        left join lateral (
            select y.id, y.changes_upto from exports y
            where y.tenant_id = $1 and y.user_id = $2 and y.schedule_id = s.id and y.status = 'ready' and y.changes_upto is not null
                and not export_was_lost(y)
                and (u.first is null or y.changes_upto < u.first)
                -- Of before the schedule came to select more: what it left out then has reached no one either. Nor have the entries of other days
                -- than those of a period.
                and y.from_day <= \(from) and y.to_day >= \(to)
                and y.kind is not distinct from s.kind and y.tag_hashes is not distinct from s.tag_hashes
                and (y.include_audio or not s.include_audio)
            order by y.changes_upto desc, y.created_at desc limit 1) b on s.covers = 'changes'
        left join lateral (
            select y.changes_upto, y.created_at from exports y
            where y.tenant_id = $1 and y.user_id = $2 and y.schedule_id = s.id and y.status = 'ready' and y.changes_upto is not null
                and y.period is not null and y.from_day > date '0001-01-01'
                and not export_was_lost(y)
                and (u.first is null or y.changes_upto < u.first)
            -- Of the latest days: an earlier one may have become ready after it.
            order by y.to_day desc, y.changes_upto desc, y.created_at desc limit 1) p on s.covers = 'period'
        on conflict (tenant_id, user_id, schedule_id, period) where schedule_id is not null do nothing
        """
    }
}
