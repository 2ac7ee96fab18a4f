package import DiaryCore
import FoundationEssentials
package import PostgresClient
import WireFormats

/// Schedules of exports, by the database role `diary_api`.
package struct PostgresExportScheduleStore: ExportScheduleStore {
    let transaction: MemberTransaction
    let linkTransaction: OwnerTransaction

    package func place(of member: Member) async throws(DiaryError) -> SchedulePlace {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    select u.time_zone, u.day_ends_minute, address_is_proved($1, $2), clock_timestamp()
                    from users u where u.tenant_id = $1 and u.id = $2
                    """, member.owner.parameters)
            ])
        guard let row = rows.first(0) else { throw .unauthorized }
        return try decoding { () throws(DatabaseError) in
            SchedulePlace(
                timeZone: try row.text(0), dayEndsMinute: Int(try row.int(1)), addressIsProved: try row.bool(2), now: try row.date(3))
        }
    }

    package func create(
        _ schedule: ScheduleWrite, most: Int, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> ScheduleWriteOutcome {
        let rows = try await transaction.run(
            member,
            [
                // Two requests at once would both count the same rows: the second waits here, and its next statement sees what the first wrote.
                Self.lock(member.owner),
                Statement(
                    """
                    select not $3 or address_is_proved($1, $2),
                        (select count(*) from export_schedules s where s.tenant_id = $1 and s.user_id = $2) < $4
                    """, member.owner.parameters + [.bool(schedule.terms.mail), .int(most)]),
                Statement(
                    """
                    insert into export_schedules as s (tenant_id, user_id, id, rule, starts_on, hour, minute, time_zone, covers, include_audio,
                        formats, layer, kind, tags_sealed, tag_hashes, keep_last, mail, next_run_at, paused_at, pause_reason)
                    select $1, $2, $3, $4, $5, $6, $7, zone_name($8), $9, $10, $11, $12, $13, $14, $15, $17, $18, $19,
                        case when $20 then clock_timestamp() end, case when $20 then 'owner' end
                    where \(Self.keyIsLive("$16")) and (not $18 or address_is_proved($1, $2))
                        and (select count(*) from export_schedules o where o.tenant_id = $1 and o.user_id = $2) < $21
                    returning \(ScheduleColumns.list)
                    """, schedule.parameters(member.owner) + [.int(most)]),
                claim?.statement(
                    of: member.owner,
                    where: "exists (select from export_schedules s where s.tenant_id = $1 and s.user_id = $2 and s.id = $3)",
                    schedule.id.uuid) ?? .nothing,
            ])
        return try decoding { () throws(DatabaseError) in
            if let made = rows.first(2) { return .written(try ExportSchedule(made)) }
            guard let checks = rows.first(1) else { return .gone }
            return try !checks.bool(0) ? .addressNotVerified : try !checks.bool(1) ? .tooMany : .gone
        }
    }

    package func schedule(_ id: ExportScheduleID, of member: Member) async throws(DiaryError) -> ExportSchedule? {
        let rows = try await transaction.run(member, [Self.one(id, of: member.owner)])
        return try decoding { () throws(DatabaseError) in try rows.first(0).map { row throws(DatabaseError) in try ExportSchedule(row) } }
    }

    package func schedules(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [ExportSchedule] {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    select \(ScheduleColumns.list) from export_schedules s where s.tenant_id = $1 and s.user_id = $2
                        and (s.created_at, s.id) < (coalesce($3, 'infinity'::timestamptz), coalesce($4, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
                    order by s.created_at desc, s.id desc limit $5
                    """, member.owner.parameters + [.timestamp(position?.at), .uuid(position?.id), .int(limit)])
            ])
        return try decoding { () throws(DatabaseError) in try rows[0].map { row throws(DatabaseError) in try ExportSchedule(row) } }
    }

    package func change(
        _ schedule: ScheduleWrite, expecting version: Int64, by member: Member
    ) async throws(DiaryError) -> ScheduleWriteOutcome {
        let rows = try await transaction.run(
            member,
            [
                Self.lock(member.owner),
                Self.lock(schedule.id, of: member.owner),
                // Mails that the change ends. First, while the row says that it sends some.
                Self.unmail(
                    where: "s.version = $4 and not $5 and \(Self.keyIsLive("$6"))", schedule.id, of: member.owner,
                    [.int(version), .bool(schedule.terms.mail), .uuid(schedule.tags?.keyID)]),
                Statement(
                    """
                    update export_schedules s set rule = $4, starts_on = $5, hour = $6, minute = $7, time_zone = zone_name($8), covers = $9,
                        include_audio = $10, formats = $11, layer = $12, kind = $13, tags_sealed = $14, tag_hashes = $15, keep_last = $17, mail = $18,
                        version = s.version + 1, updated_at = clock_timestamp(),
                        next_run_at = case when $21 then $19 else s.next_run_at end,
                        paused_at = case when $21 then case when $20 then clock_timestamp() end else s.paused_at end,
                        pause_reason = case when $21 then case when $20 then 'owner' end else s.pause_reason end,
                        failures = case when $21 then 0 else s.failures end, retry_at = case when $21 then null else s.retry_at end,
                        error_code = case when $21 then null else s.error_code end, error_at = case when $21 then null else s.error_at end,
                        resumed_at = case when $21 then clock_timestamp() else s.resumed_at end
                    where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and s.version = $22 and \(Self.keyIsLive("$16"))
                        -- Without an address one that sends mails already may still be changed.
                        and (not $18 or s.mail or address_is_proved($1, $2))
                    returning \(ScheduleColumns.list)
                    """, schedule.parameters(member.owner) + [.bool(schedule.run != nil), .int(version)]),
                Statement(
                    """
                    select s.version = $4 and $5 and not s.mail and not address_is_proved($1, $2)
                    from export_schedules s where s.tenant_id = $1 and s.user_id = $2 and s.id = $3
                    """, member.owner.parameters + [.uuid(schedule.id.uuid), .int(version), .bool(schedule.terms.mail)]),
            ])
        return try decoding { () throws(DatabaseError) in
            if let written = rows.first(3) { return .written(try ExportSchedule(written)) }
            guard let left = rows.first(4) else { return .gone }
            return try left.bool(0) ? .addressNotVerified : .otherVersion
        }
    }

    package func delete(_ id: ExportScheduleID, by member: Member) async throws(DiaryError) -> Bool {
        let rows = try await transaction.run(
            member,
            [
                // Its exports are written too.
                Self.lock(member.owner),
                Statement(
                    "delete from export_schedules where tenant_id = $1 and user_id = $2 and id = $3 returning id",
                    member.owner.parameters + [.uuid(id.uuid)]),
            ])
        return rows.first(1) != nil
    }

    package func run(_ run: AskedRun, by member: Member) async throws(DiaryError) -> Export? {
        let insertion = ScheduledExport.insert(
            id: "$4", from: "$5::date", to: "$6::date", maxDownloads: "$7", period: "null::timestamptz", source: "asked")
        let rows = try await transaction.run(
            member,
            [
                // A change of the row is waited for, and waits: `mail` is read here, and who ends the mails must see this export.
                Statement(
                    """
                    with asked as (
                        select s.* from export_schedules s
                        where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and account_is_open($1, $2) for share of s),
                    made as (
                        \(insertion)
                        returning \(ExportColumns.list), x.tag_hashes),
                    job as (\(JobInsertion.sql(id: "$8", kind: "$9", subject: "m.id", cost: JobInsertion.cost(ofExport: "m"), from: "made m"))),
                    event as (select record_event($1, $2, $10, 'member', $11, $12) from made)
                    select m.*, (select count(*) from event) from made m
                    """,
                    member.owner.parameters + [
                        .uuid(run.schedule.uuid), .uuid(run.export.uuid), .date(run.days.lowerBound.description),
                        .date(run.days.upperBound.description), .int4(Int32(clamping: run.maxDownloads)), .uuid(run.job.id.uuid),
                        .text(run.job.kind.rawValue), .text(AuditEvent.Kind.exportRequested.rawValue), .uuid(member.session.uuid),
                        .text(run.requestID),
                    ]),
                run.claim?.statement(
                    of: member.owner, where: "exists (select from exports x where x.tenant_id = $1 and x.user_id = $2 and x.id = $3)",
                    run.export.uuid) ?? .nothing,
            ])
        return try decoding { () throws(DatabaseError) in try rows.first(0).map { row throws(DatabaseError) in try Export(row) } }
    }

    package func exports(of id: ExportScheduleID, limit: Int, _ member: Member) async throws(DiaryError) -> [Export]? {
        let named = member.owner.parameters + [.uuid(id.uuid)]
        let rows = try await transaction.run(
            member,
            [
                Statement("select from export_schedules s where s.tenant_id = $1 and s.user_id = $2 and s.id = $3", named),
                Statement(
                    """
                    select \(ExportColumns.list) from exports x where x.tenant_id = $1 and x.user_id = $2 and x.schedule_id = $3
                    order by x.created_at desc, x.id desc limit $4
                    """, named + [.int(limit)]),
            ])
        guard rows.first(0) != nil else { return nil }
        return try decoding { () throws(DatabaseError) in try rows[1].map { row throws(DatabaseError) in try Export(row) } }
    }

    package func sendsMail(_ id: ExportScheduleID, of owner: Owner) async throws(DiaryError) -> Bool {
        do {
            let rows = try await linkTransaction.run(
                owner,
                [
                    Statement(
                        """
                        select from export_schedules s
                        where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and s.mail and account_is_open($1, $2)
                        """, owner.parameters + [.uuid(id.uuid)])
                ])
            return rows.first(0) != nil
        } catch {
            throw error.forClient
        }
    }

    package func stopMail(_ id: ExportScheduleID, of owner: Owner, requestID: String?) async throws(DiaryError) {
        do {
            _ = try await linkTransaction.run(
                owner,
                [
                    Self.lock(owner),
                    Self.lock(id, of: owner),
                    Self.unmail(where: "account_is_open($1, $2)", id, of: owner),
                    Statement(
                        """
                        with stopped as (
                            update export_schedules s set mail = false, version = s.version + 1, updated_at = clock_timestamp()
                            where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and s.mail and account_is_open($1, $2) returning s.id)
                        select record_event($1, $2, $4, '\(AuditEvent.Actor.anonymous.rawValue)', null, $5) from stopped
                        """,
                        owner.parameters + [
                            .uuid(id.uuid), .text(AuditEvent.Kind.scheduleMailStopped.rawValue), .text(requestID),
                        ]),
                ])
        } catch {
            throw error.forClient
        }
    }

    /// Exports of a schedule that sends mails whose mail has not left are not mailed: neither those that are being built nor those whose
    /// mail waits (`beginMail` deletes it). A statement of its own after those that lock the user and the schedule: it then sees the export
    /// of a run that had the schedule until now, and takes exports in the order of everyone else.
    /// - Parameter condition: of the row `s`; `$1` and `$2` are the owner, `$3` is the schedule, `parameters` follow.
    private static func unmail(
        where condition: String, _ id: ExportScheduleID, of owner: Owner, _ parameters: [Parameter] = []
    ) -> Statement {
        Statement(
            """
            update exports x set mail_asked = false from export_schedules s
            where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and s.mail and \(condition)
                and x.tenant_id = $1 and x.user_id = $2 and x.schedule_id = s.id and x.mail_asked and x.mail_status = 'waiting'
                and x.status in ('queued', 'building', 'ready')
            """, owner.parameters + [.uuid(id.uuid)] + parameters)
    }

    private static func one(_ id: ExportScheduleID, of owner: Owner) -> Statement {
        Statement(
            "select \(ScheduleColumns.list) from export_schedules s where s.tenant_id = $1 and s.user_id = $2 and s.id = $3",
            owner.parameters + [.uuid(id.uuid)])
    }

    /// The user's lock, first as everywhere (decision D9).
    private static func lock(_ owner: Owner) -> Statement {
        Statement("select from user_sync s where s.tenant_id = $1 and s.user_id = $2 for update", owner.parameters)
    }

    /// The schedule's, after the user's: no run reads it until the transaction ends.
    private static func lock(_ id: ExportScheduleID, of owner: Owner) -> Statement {
        Statement(
            "select from export_schedules s where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 for update",
            owner.parameters + [.uuid(id.uuid)])
    }

    /// What is sealed is written only under the account's present key.
    private static func keyIsLive(_ key: String) -> String {
        "(\(key)::uuid is null or exists (select from user_sync y where y.tenant_id = $1 and y.user_id = $2 and y.key_id = \(key)))"
    }
}

extension PostgresExportScheduleStore {
    package init(pool: ConnectionPool) {
        self.init(transaction: MemberTransaction(pool: pool), linkTransaction: OwnerTransaction(pool: pool))
    }
}

extension ScheduleWrite {
    /// `$1` to `$20`; `$16` is the key of the tags, `$19` the next time, `$20` whether it is paused.
    fileprivate func parameters(_ owner: Owner) -> [Parameter] {
        let timing = terms.timing
        var (next, isPaused): (Date?, Bool) = (nil, false)
        switch run {
        case .at(let date): next = date
        case .paused: isPaused = true
        case .ended, nil: break
        }
        return owner.parameters + [
            .uuid(id.uuid), .text(timing.rule.description), .date(timing.startsOn.description), .int4(Int32(clamping: timing.hour)),
            .int4(Int32(clamping: timing.minute)), .text(timing.timeZone), .text(terms.covers.rawValue), .bool(terms.contents.includeAudio),
            .texts(terms.contents.formats.map(\.rawValue).sorted()), .text(terms.contents.layer.rawValue), .text(terms.kind?.rawValue),
            .bytes(tags?.sealed), .ints(tags?.hashes), .uuid(tags?.keyID), .int4(terms.keepLast.map { Int32(clamping: $0) }),
            .bool(terms.mail), .timestamp(next), .bool(isPaused),
        ]
    }
}
