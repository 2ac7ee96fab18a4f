package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Schedules whose time has come, by the database role `diary_worker`.
package struct PostgresDueScheduleStore: DueScheduleStore {
    let transaction: OwnerTransaction

    /// Failed exports in a row after which no more are made.
    static let mostFailed = 5
    /// Exports of an account's schedules within a day: each of them once. Otherwise a schedule that is moved to the next minute again and again
    /// would pass the limit of exports.
    static let mostInADay = CreateExportSchedule.most

    /// Its owner sees what has happened among the events of the account, and why at the schedule and in a mail.
    private static let pausedEvent = "record_event($1, $2, '\(AuditEvent.Kind.schedulePaused.rawValue)', 'service', null, null)"

    package func due(of tenant: TenantID?, limit: Int) async throws(WorkError) -> [DueSchedule] {
        let statement = Statement(
            """
            select tenant_id, user_id, id, slug, rule, starts_on, hour, minute, time_zone, covers, covered_to, failures, day_ends_minute, next_run_at, at
            from due_export_schedules($1, $2)
            """, [.uuid(tenant?.uuid), .int4(Int32(clamping: limit))])
        do {
            return try await transaction.pool.run([statement])[0].map { row throws(DatabaseError) in
                DueSchedule(
                    owner: try Owner(row), id: ExportScheduleID(try row.uuid(2)), slug: try row.text(3),
                    timing: ScheduleTiming(
                        rule: try row.text(4), startsOn: try row.day(5), hour: try row.int(6), minute: try row.int(7),
                        timeZone: try row.text(8)),
                    covers: try row.known(9), coveredTo: try row.isNull(10) ? nil : CalendarDay(try row.day(10)),
                    failures: Int(try row.int(11)), dayEndsMinute: Int(try row.int(12)), dueAt: try row.date(13), now: try row.date(14))
            }
        } catch {
            throw error.forWorker
        }
    }

    /// The row is locked and must be as it was seen. A runner that finds it locked leaves it; one that comes later finds another time in
    /// it; and were both to write, the index of periods would keep one export. A day has 23 hours when the clock is put on, so 22 are counted, by
    /// the times that were due: a run that comes late takes none of the next day's. Runners that claim for one account at once may exceed the
    /// number by theirs.
    package func claim(_ due: DueSchedule, _ run: DueRun) async throws(WorkError) -> DueRunOutcome {
        let insertion = ScheduledExport.insert(
            id: "$6", from: "$7::date", to: "$8::date", maxDownloads: "$9", period: "$4", source: "wanted")
        let statement = Statement(
            """
            with due as (
                select s.* from export_schedules s
                where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and s.next_run_at = $4 and account_is_open($1, $2)
                for update skip locked),
            failing as (
                select d.id from due d
                where $13 = (select count(*) filter (where l.status = 'failed') from (
                    select x.status from exports x where x.tenant_id = $1 and x.user_id = $2 and x.schedule_id = d.id and x.created_at > d.resumed_at
                    order by x.created_at desc, x.id desc limit $13) l)),
            stopped as (
                update export_schedules s set next_run_at = null, paused_at = clock_timestamp(), pause_reason = 'failures',
                    error_code = '\(ScheduleFault.exportsFailed.rawValue)', error_at = clock_timestamp()
                from failing f where s.tenant_id = $1 and s.user_id = $2 and s.id = f.id returning s.id),
            told as (select \(Self.pausedEvent) from stopped),
            \(PauseNotice.sql(from: "stopped", kind: "$15", job: "$16")),
            excess as (
                select d.id from due d where not exists (select from failing) and $14 <= (
                    select count(*) from exports x
                    where x.tenant_id = $1 and x.user_id = $2 and x.period > d.next_run_at - interval '22 hours'
                        and x.period <= d.next_run_at)),
            put_off as (
                -- Without a next time it would end, and what it was to cover would be in no export.
                update export_schedules s set next_run_at = coalesce($5, s.next_run_at + interval '1 day'),
                    error_code = '\(ScheduleFault.tooManyExports.rawValue)', error_at = clock_timestamp(), retry_at = null
                from excess o where s.tenant_id = $1 and s.user_id = $2 and s.id = o.id returning s.id),
            wanted as (select d.* from due d where not exists (select from failing) and not exists (select from excess)),
            moved as (
                update export_schedules s set next_run_at = $5, last_run_at = clock_timestamp(), covered_to = coalesce($10, s.covered_to),
                    failures = 0, error_code = null, error_at = null, retry_at = null
                from wanted w where s.tenant_id = $1 and s.user_id = $2 and s.id = w.id returning s.id),
            made as (
                \(insertion)
                returning x.id, x.from_day, x.to_day, x.include_audio, x.kind, x.entry_id, x.changed_after, x.tag_hashes, x.late_after,
                    x.late_since),
            job as (\(JobInsertion.sql(id: "$11", kind: "$12", subject: "m.id", cost: JobInsertion.cost(ofExport: "m"), from: "made m"))),
            event as (select record_event($1, $2, '\(AuditEvent.Kind.exportRequested.rawValue)', 'service', null, null) from made)
            select (select count(*) from made), (select count(*) from stopped), (select count(*) from event), (select count(*) from moved),
                (select count(*) from put_off), (select count(*) from told)
            """,
            due.owner.parameters + [
                .uuid(due.id.uuid), .timestamp(due.dueAt), .timestamp(run.plan.nextRunAt), .uuid(run.export.uuid),
                .date(run.plan.days.lowerBound.description), .date(run.plan.days.upperBound.description),
                .int4(Int32(clamping: run.maxDownloads)),
                .date(run.plan.coveredTo?.description), .uuid(run.job.id.uuid), .text(run.job.kind.rawValue), .int(Self.mostFailed),
                .int(Self.mostInADay),
            ] + PauseNotice.parameters)
        do {
            guard let row = try await transaction.run(due.owner, [statement]).first(0) else { return .taken }
            if try row.int(0) > 0 { return .made }
            if try row.int(1) > 0 { return .paused }
            return try row.int(4) > 0 ? .putOff : .taken
        } catch {
            throw error.forWorker
        }
    }

    package func note(_ fault: ScheduleFault, of due: DueSchedule, retrySeconds: Double?) async throws(WorkError) {
        let statement = Statement(
            """
            with noted as (
                update export_schedules s set failures = s.failures + 1, error_code = $5, error_at = clock_timestamp(),
                    retry_at = clock_timestamp() + make_interval(secs => $6),
                    next_run_at = case when $6 is null then null else s.next_run_at end,
                    paused_at = case when $6 is null then clock_timestamp() end,
                    pause_reason = case when $6 is null then 'failures' end
                where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and s.next_run_at = $4
                returning s.id, s.paused_at),
            paused as (select n.id from noted n where n.paused_at is not null),
            \(PauseNotice.sql(from: "paused", kind: "$7", job: "$8"))
            select \(Self.pausedEvent) from paused
            """,
            due.owner.parameters + [.uuid(due.id.uuid), .timestamp(due.dueAt), .text(fault.rawValue), .double(retrySeconds)]
                + PauseNotice.parameters)
        do { _ = try await transaction.run(due.owner, [statement]) } catch { throw error.forWorker }
    }
}

extension PostgresDueScheduleStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
