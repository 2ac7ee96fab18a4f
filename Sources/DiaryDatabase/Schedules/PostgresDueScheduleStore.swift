package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// Schedules whose time has come, by the database role `diary_worker`.
package struct PostgresDueScheduleStore: DueScheduleStore {
    let transaction: OwnerTransaction

    /// Exports of an account's schedules within a day: each of them once. Otherwise a schedule that is moved to the next minute again and again
    /// would pass the limit of exports.
    static let mostInADay = CreateExportSchedule.most

    package func due(of tenant: TenantID?, after last: DueSchedule?, limit: Int) async throws(WorkError) -> [DueSchedule] {
        try await transaction.pool.forWorker.all(
            """
            select tenant_id, user_id, id, slug, every, weekday, day, month, at_minute, time_zone, next_at, at
            from due_export_schedules($1, $2, $3, $4)
            """, [.uuid(tenant?.uuid), .timestamp(last?.dueAt), .uuid(last?.id.uuid), .int4(Int32(clamping: limit))]
        ) { row in
            DueSchedule(
                owner: try Owner(&row), id: ExportScheduleID(try row.uuid()), slug: try row.text(), timing: try ScheduleTiming(&row),
                dueAt: try row.date(), now: try row.date())
        }
    }

    /// The row is locked and must be as it was seen. A runner that finds it locked leaves it; one that comes later finds another time in
    /// it; and were both to write, the index of periods would keep one export. A day has 23 hours when the clock is put on, so 22 are counted, by
    /// the times that were due: a run that comes late takes none of the next day's. Runners that claim for one account at once may exceed the
    /// number by theirs.
    package func claim(_ due: DueSchedule, _ run: ScheduledRun, nextAt: Date) async throws(WorkError) -> DueRunOutcome {
        let statement = Statement(
            """
            with due as (
                select s.* from export_schedules s
                where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and s.next_at = $4 and account_is_open($1, $2)
                for update skip locked),
            moved as (
                update export_schedules s set next_at = $5 from due d where s.tenant_id = $1 and s.user_id = $2 and s.id = d.id returning s.id),
            wanted as (
                select d.* from due d where $6 > (
                    select count(*) from exports x
                    where x.tenant_id = $1 and x.user_id = $2 and x.period > d.next_at - interval '22 hours' and x.period <= d.next_at)),
            made as (
                \(ScheduledExport.insert(id: "$7", maxDownloads: "$8", period: "$4", source: "wanted"))
                returning x.id, x.include_audio, x.kind, x.entry_ids, x.from_day, x.to_day, x.changed_after, x.tag_hashes),
            job as (\(JobInsertion.sql(id: "$9", kind: "$10", subject: "m.id", cost: JobInsertion.cost(ofExport: "m"), from: "made m"))),
            event as (select record_event($1, $2, '\(AuditEvent.Kind.exportRequested.rawValue)', 'service', null, null) from made)
            select (select count(*) from moved), (select count(*) from made), (select count(*) from event)
            """,
            due.owner.parameters + [
                .uuid(due.id.uuid), .timestamp(due.dueAt), .timestamp(nextAt), .int(Self.mostInADay), .uuid(run.export.uuid),
                .int4(Int32(clamping: run.maxDownloads)), .uuid(run.job.id.uuid), .text(run.job.kind.rawValue),
            ])
        return try await transaction.forWorker(due.owner).one(statement) { row in
            guard try row.int() > 0 else { return .taken }
            return try row.int() > 0 ? .made : .skipped
        } ?? .taken
    }
}

extension PostgresDueScheduleStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}

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
