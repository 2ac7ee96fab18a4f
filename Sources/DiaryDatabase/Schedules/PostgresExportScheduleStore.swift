package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Schedules of exports, by the database role `diary_api`.
package struct PostgresExportScheduleStore: ExportScheduleStore {
    let transaction: MemberTransaction
    let linkTransaction: OwnerTransaction

    package func place(of member: Member) async throws(DiaryError) -> SchedulePlace {
        let place = try await transaction.of(member).one(
            """
            select u.time_zone, address_is_proved($1, $2),
                (select count(*) from export_schedules s where s.tenant_id = $1 and s.user_id = $2), clock_timestamp()
            from users u where u.tenant_id = $1 and u.id = $2
            """, member.owner.parameters
        ) { row in
            SchedulePlace(
                timeZone: try row.text(), addressIsProved: try row.bool(), schedules: try row.count(), now: try row.date())
        }
        guard let place else { throw .unauthorized }
        return place
    }

    package func create(
        _ schedule: ScheduleWrite, most: Int, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> ExportSchedule? {
        try await transaction.of(member).run([
            // Two requests at once would both count the same rows: the second waits here, and its next statement sees what the first wrote.
            Self.lock(member.owner),
            Statement(
                """
                insert into export_schedules as s (tenant_id, user_id, id, every, weekday, day, month, at_minute, time_zone, covers,
                    include_audio, formats, layer, kind, tags_sealed, tag_hashes, keep_last, mail, next_at)
                select $1, $2, $3, $4, $5, $6, $7, $8, zone_name($9), $10, $11, $12, $13, $14, $15, $16, $17, $18, $19
                where \(Self.keyIsLive("$20")) and (not $18 or address_is_proved($1, $2))
                    and (select count(*) from export_schedules o where o.tenant_id = $1 and o.user_id = $2) < $21
                returning \(ScheduleColumns.list)
                """, schedule.parameters(member.owner) + [.int(most)]),
            claim?.statement(
                of: member.owner,
                where: "exists (select from export_schedules s where s.tenant_id = $1 and s.user_id = $2 and s.id = $3)",
                schedule.id.uuid) ?? .nothing,
        ]) { try $0.one(1) { try ExportSchedule(&$0) } }
    }

    package func schedule(_ id: ExportScheduleID, of member: Member) async throws(DiaryError) -> ExportSchedule? {
        try await transaction.of(member).one(
            "select \(ScheduleColumns.list) from export_schedules s where s.tenant_id = $1 and s.user_id = $2 and s.id = $3",
            member.owner.parameters + [.uuid(id.uuid)]
        ) { try ExportSchedule(&$0) }
    }

    package func schedules(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [ExportSchedule] {
        try await transaction.of(member).all(
            """
            select \(ScheduleColumns.list) from export_schedules s where s.tenant_id = $1 and s.user_id = $2
                and (s.created_at, s.id) < (coalesce($3, 'infinity'::timestamptz), coalesce($4, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
            order by s.created_at desc, s.id desc limit $5
            """, member.owner.parameters + [.timestamp(position?.at), .uuid(position?.id), .int(limit)]
        ) { try ExportSchedule(&$0) }
    }

    package func change(
        _ schedule: ScheduleWrite, from old: ExportSchedule, by member: Member
    ) async throws(DiaryError) -> ExportSchedule? {
        try await transaction.of(member).run([
            Self.lock(member.owner),
            Self.lock(schedule.id, of: member.owner),
            // Mails that the change ends. First, while the row says that it sends some.
            Self.unmail(
                where: "s.version = $4 and s.next_at is not distinct from $5 and not $6 and \(Self.keyIsLive("$7"))", schedule.id,
                of: member.owner,
                [.int(old.version), .timestamp(old.nextAt), .bool(schedule.terms.mail), .uuid(schedule.tags?.keyID)]),
            Statement(
                """
                update export_schedules s set every = $4, weekday = $5, day = $6, month = $7, at_minute = $8, time_zone = zone_name($9),
                    covers = $10, include_audio = $11, formats = $12, layer = $13, kind = $14, tags_sealed = $15, tag_hashes = $16,
                    keep_last = $17, mail = $18, next_at = $19, version = s.version + 1, updated_at = clock_timestamp(),
                    -- What it selects now and did not before has been in no export.
                    changes_upto = case when s.kind is not distinct from $14 and s.tag_hashes is not distinct from $16
                        and (s.include_audio or not $11) then s.changes_upto end
                where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and s.version = $21 and s.next_at is not distinct from $22
                    and \(Self.keyIsLive("$20"))
                    -- Without an address one that sends mails already may still be changed.
                    and (not $18 or s.mail or address_is_proved($1, $2))
                returning \(ScheduleColumns.list)
                """, schedule.parameters(member.owner) + [.int(old.version), .timestamp(old.nextAt)]),
        ]) { try $0.one(3) { try ExportSchedule(&$0) } }
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

    package func run(
        _ id: ExportScheduleID, _ run: ScheduledRun, claim: KeyClaim?, requestID: String?, by member: Member
    ) async throws(DiaryError) -> Export? {
        let insertion = ScheduledExport.insert(id: "$4", maxDownloads: "$5", period: "null::timestamptz", source: "asked")
        return try await transaction.of(member).run([
            // A change of the row is waited for, and waits: `mail` is read here, and who ends the mails must see this export.
            Statement(
                """
                with asked as (
                    select s.* from export_schedules s
                    where s.tenant_id = $1 and s.user_id = $2 and s.id = $3 and account_is_open($1, $2) for share of s),
                made as (
                    \(insertion)
                    returning \(ExportColumns.list), x.entry_ids, x.tag_hashes),
                job as (\(JobInsertion.sql(id: "$6", kind: "$7", subject: "m.id", cost: JobInsertion.cost(ofExport: "m"), from: "made m"))),
                event as (select record_event($1, $2, $8, 'member', $9, $10) from made)
                select m.*, (select count(*) from event) from made m
                """,
                member.owner.parameters + [
                    .uuid(id.uuid), .uuid(run.export.uuid), .int4(Int32(clamping: run.maxDownloads)), .uuid(run.job.id.uuid),
                    .text(run.job.kind.rawValue), .text(AuditEvent.Kind.exportRequested.rawValue), .uuid(member.session.uuid),
                    .text(requestID),
                ]),
            claim?.statement(
                of: member.owner, where: "exists (select from exports x where x.tenant_id = $1 and x.user_id = $2 and x.id = $3)",
                run.export.uuid) ?? .nothing,
        ]) { try $0.one(0) { try Export(&$0) } }
    }

    package func stopMail(_ id: ExportScheduleID, of owner: Owner, requestID: String?) async throws(DiaryError) {
        try await linkTransaction.forClient(owner).run([
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
    /// `$1` to `$20`; `$19` is the next time, `$20` the key of the tags.
    fileprivate func parameters(_ owner: Owner) -> [Parameter] {
        let timing = terms.timing
        return owner.parameters + [
            .uuid(id.uuid), .text(timing.every.rawValue), .text(timing.weekday?.rawValue), .int4(timing.day.map { Int32(clamping: $0) }),
            .int4(timing.month.map { Int32(clamping: $0) }), .int4(Int32(clamping: timing.minute)), .text(timing.timeZone),
            .text(terms.covers.rawValue), .bool(terms.contents.includeAudio), .texts(terms.contents.formats.map(\.rawValue).sorted()),
            .text(terms.contents.layer.rawValue), .text(terms.kind?.rawValue), .bytes(tags?.sealed), .ints(tags?.hashes),
            .int4(terms.keepLast.map { Int32(clamping: $0) }), .bool(terms.mail), .timestamp(nextAt), .uuid(tags?.keyID),
        ]
    }
}
