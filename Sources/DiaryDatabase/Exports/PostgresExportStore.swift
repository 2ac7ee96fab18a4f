package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Exports, by the database role `diary_api`.
package struct PostgresExportStore: ExportStore {
    let transaction: MemberTransaction
    let linkTransaction: OwnerTransaction

    package func create(_ export: NewExport, by member: Member) async throws(DiaryError) -> ExportCreateOutcome {
        // Without a client's key the export's own id claims, so that both cases take the same path.
        let key = export.idempotencyHash ?? export.requestHash + export.id.uuid.octets
        let outcome: ExportCreateOutcome? = try await transaction.of(member).run([
            Self.insertion(export, claiming: key, by: member),
            Statement(
                """
                select k.request_hash, \(ExportColumns.list) from idempotency_keys k
                join exports x on x.tenant_id = k.tenant_id and x.user_id = k.user_id and x.id = k.subject
                where k.tenant_id = $1 and k.user_id = $2 and k.operation = 'export' and k.key_hash = $3
                """, member.owner.parameters + [.bytes(key)]),
            // Only an export made by this call has this id.
            Statement(
                """
                select record_event($1, $2, $4, 'member', $5, $6) from exports where tenant_id = $1 and user_id = $2 and id = $3
                """,
                member.owner.parameters + [
                    .uuid(export.id.uuid), .text(AuditEvent.Kind.exportRequested.rawValue), .uuid(member.session.uuid),
                    .text(export.requestID),
                ]),
        ]) { rows in
            guard export.mayCreate || rows.first(1) != nil else { throw DiaryError(.rateLimited) }
            guard var asked = rows.first(0) else { throw DatabaseError(.decoding) }
            let (isProved, fault) = (try asked.bool(), try ExportSelectionFault(&asked))
            if try !asked.nextIsNull() { return .created(try Export(&asked)) }
            if export.mail == true, !isProved { return .addressNotVerified }
            // nil: the key that sealed the tags is not the live one, or the export made with the client's key was deleted.
            guard var known = rows.first(1) else { return fault.map { ExportCreateOutcome.refused($0) } }
            guard try known.bytes() == export.requestHash else { return .keyReused }
            return .replayed(try Export(&known))
        }
        // An account erased after the session check has no address either; a second transaction reports the erasure.
        switch outcome {
        case .addressNotVerified, .refused, nil: _ = try await self.export(export.id, of: member)
        case .created, .replayed, .keyReused: break
        }
        // A repeated request shows which of the two it was.
        guard let outcome else { throw DatabaseError(.serialization).forClient }
        return outcome
    }

    /// Whether the mail that is asked for can be sent, and whether the entries and the snapshot that are named are there; then the export.
    private static func insertion(_ export: NewExport, claiming key: [UInt8], by member: Member) -> Statement {
        let selection = export.selection
        return Statement(
            """
            with asked (is_proved, unknown, has_snapshot, is_building) as materialized (
                select address_is_proved($1, $2), \(RequestedSelection.facts(entries: "$14", since: "$15"))),
            claim as (
                insert into idempotency_keys (tenant_id, user_id, operation, key_hash, request_hash, subject)
                select $1, $2, 'export', $9, $8, $3 from asked a
                where $12 and account_is_open($1, $2) and ($13 is not true or a.is_proved) and a.unknown = '{}' and a.has_snapshot
                    and ($16::uuid is null
                        or exists (select from user_sync s where s.tenant_id = $1 and s.user_id = $2 and s.key_id = $16))
                on conflict do nothing returning subject),
            made as (
                insert into exports as x (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash,
                    mail_asked, entry_ids, since_export, changed_after, tags_sealed, tag_hashes, formats, layer, kind)
                select $1, $2, $3, coalesce($4, d.first), coalesce($5, d.last), u.time_zone, $6, $7, $8,
                    coalesce($13, a.is_proved), $14, $15, y.changes_upto, $17, $18, $19, $20, $21
                from claim, asked a, users u
                cross join lateral (
                    select min(e.local_date), max(e.local_date) from entries e
                    where e.tenant_id = $1 and e.user_id = $2 and e.id = any ($14)) d (first, last)
                left join exports y on y.tenant_id = $1 and y.user_id = $2 and y.id = $15
                where u.tenant_id = $1 and u.id = $2
                returning \(ExportColumns.list), x.entry_ids, x.tag_hashes),
            job as (\(JobInsertion.sql(id: "$10", kind: "$11", subject: "m.id", cost: JobInsertion.cost(ofExport: "m"), from: "made m")))
            select a.*, m.* from asked a left join made m on true
            """,
            member.owner.parameters + [
                .uuid(export.id.uuid), .date(selection.from?.description), .date(selection.to?.description),
                .bool(export.contents.includeAudio), .int4(Int32(clamping: export.maxDownloads)), .bytes(export.requestHash),
                .bytes(key), .uuid(export.job.id.uuid), .text(export.job.kind.rawValue), .bool(export.mayCreate),
                .bool(export.mail), .chosen(selection.entries), .uuid(selection.since?.uuid), .uuid(export.tags?.keyID),
                .bytes(export.tags?.sealed), .ints(export.tags?.hashes), .texts(export.contents.formats.map(\.rawValue).sorted()),
                .text(export.contents.layer.rawValue), .text(selection.kind?.rawValue),
            ])
    }

    package func export(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export? {
        try await transaction.of(member).one(Self.one(member.owner.parameters + [.uuid(id.uuid)])) { try Export(&$0) }
    }

    package func exports(
        before position: ListPosition?, limit: Int, schedule: ExportScheduleID?, status: ExportStatus?, of member: Member
    ) async throws(DiaryError) -> [Export] {
        try await transaction.of(member).all(
            """
            select \(ExportColumns.list) from exports x where x.tenant_id = $1 and x.user_id = $2
                and (x.created_at, x.id) < (coalesce($3, 'infinity'::timestamptz), coalesce($4, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
                and ($6::uuid is null or x.schedule_id = $6) and ($7::text is null or \(ExportColumns.status) = $7)
            order by x.created_at desc, x.id desc limit $5
            """,
            member.owner.parameters + [
                .timestamp(position?.at), .uuid(position?.id), .int(limit), .uuid(schedule?.uuid), .text(status?.rawValue),
            ]
        ) { try Export(&$0) }
    }

    package func revoke(_ id: ExportID, by member: Member) async throws(DiaryError) -> Bool {
        try await transaction.of(member).run(
            """
            update exports set revoked_at = coalesce(revoked_at, clock_timestamp()), revoked_reason = coalesce(revoked_reason, 'owner'),
                mail_status = case mail_status when 'waiting' then 'failed' else mail_status end
            where tenant_id = $1 and user_id = $2 and id = $3 returning id
            """, member.owner.parameters + [.uuid(id.uuid)]
        ).first != nil
    }

    package func takeOwnDownload(
        _ id: ExportID, part: Int?, by member: Member, requestID: String?
    ) async throws(DiaryError) -> (export: Export, taken: Bool)? {
        let named = member.owner.parameters + [.uuid(id.uuid)]
        return try await transaction.of(member).run([
            Self.locked(named),
            Statement(
                """
                with \(Self.taken(part: "$7", isLimited: false))
                select t.id, record_event($1, $2, $4, 'member', $5, $6) from taken t
                """,
                named + [
                    .text(AuditEvent.Kind.exportDownloaded.rawValue), .uuid(member.session.uuid), .text(requestID), .int(part),
                ]),
            Self.one(named),
        ]) { rows in
            try rows.one(2) { (export: try Export(&$0), taken: rows.first(1) != nil) }
        }
    }

    package func mail(_ request: ExportMailRequest, by member: Member) async throws(DiaryError) -> ExportMailOutcome? {
        let named = member.owner.parameters + [.uuid(request.export.uuid)]
        return try await transaction.of(member).run([
            // One that is not built yet is mailed when it is. The worker that finishes it waits for this row's lock, or holds it.
            Statement(
                """
                with asked (is_proved) as materialized (select address_is_proved($1, $2)),
                due as (
                    update exports x set mail_asked = true, mail_status = 'waiting', code = null
                    from asked a
                    where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 and x.revoked_at is null and x.status <> 'failed'
                        and (x.expires_at is null or x.expires_at > clock_timestamp()) and (not x.mail_asked or x.mail_status <> 'waiting')
                        and a.is_proved
                    returning x.id, x.status),
                mail as (
                    insert into mails (tenant_id, user_id, id, kind, payload, key_id, subject)
                    select $1, $2, $4, $5, ''::bytea, s.key_id, d.id from due d, user_sync s
                    where d.status = 'ready' and s.tenant_id = $1 and s.user_id = $2),
                job as (\(JobInsertion.sql(id: "$6", kind: "$7", subject: "$4", from: "due d where d.status = 'ready'")))
                select a.is_proved, coalesce(d.status = 'ready', false) from asked a left join due d on true
                """,
                named + [
                    .uuid(request.mail.uuid), .text(MailKind.exportReady.rawValue), .uuid(request.job.id.uuid),
                    .text(request.job.kind.rawValue),
                ]),
            Self.one(named),
            request.claim?.statement(
                of: member.owner,
                where: """
                    address_is_proved($1, $2) and exists (select from exports x where x.tenant_id = $1 and x.user_id = $2 and x.id = $3
                        and x.revoked_at is null and x.status <> 'failed' and (x.expires_at is null or x.expires_at > clock_timestamp()))
                    """, request.export.uuid) ?? .nothing,
        ]) { rows in
            guard var row = rows.first(1), var asked = rows.first(0) else { return nil }
            return ExportMailOutcome(export: try Export(&row), addressIsProved: try asked.bool(), isQueued: try asked.bool())
        }
    }

    private static func one(_ named: [Parameter]) -> Statement {
        Statement("select \(ExportColumns.list) from exports x where x.tenant_id = $1 and x.user_id = $2 and x.id = $3", named)
    }

    package func linkedExport(_ id: ExportID, of owner: Owner) async throws(DiaryError) -> Export? {
        try await linkTransaction.forClient(owner).one(
            """
            select \(ExportColumns.list), (select u.locale from users u where u.tenant_id = x.tenant_id and u.id = x.user_id)
            from exports x where \(Self.live)
            """, owner.parameters + [.uuid(id.uuid)]
        ) { row in
            var export = try Export(&row)
            export.locale = try row.textOrNil()
            return export
        }
    }

    package func takeDownload(
        _ id: ExportID, part: Int?, of owner: Owner, requestID: String?
    ) async throws(DiaryError) -> Export? {
        let named = owner.parameters + [.uuid(id.uuid)]
        let take = Statement(
            """
            with \(Self.taken(part: "$6", isLimited: true))
            select t.id, record_event($1, $2, $4, '\(AuditEvent.Actor.anonymous.rawValue)', null, $5) from taken t
            """, named + [.text(AuditEvent.Kind.exportDownloaded.rawValue), .text(requestID), .int(part)])
        return try await linkTransaction.forClient(owner).run([Self.locked(named), take, Self.one(named)]) { rows in
            guard rows.first(1) != nil else { return nil }
            return try rows.one(2) { try Export(&$0) }
        }
    }

    /// The export before its parts, as everything else that changes both does.
    private static func locked(_ named: [Parameter]) -> Statement {
        Statement("select from exports x where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 for no key update", named)
    }

    /// Counts a download of a part; the export's own count is that of the part taken most often.
    /// - Parameters:
    ///   - part: null for the only one.
    ///   - isLimited: by the export's `max_downloads`, which each part has for itself.
    private static func taken(part: String, isLimited: Bool) -> String {
        """
        counted as (
            update export_parts p set downloads = p.downloads + 1 from exports x
            where \(live) and p.tenant_id = $1 and p.user_id = $2 and p.export_id = $3
                and p.number = coalesce(\(part)::int, (select max(q.number) from export_parts q
                    where q.tenant_id = $1 and q.user_id = $2 and q.export_id = $3 having max(q.number) = 1))
                \(isLimited ? "and p.downloads < x.max_downloads" : "")
            returning p.downloads),
        taken as (
            update exports x set downloads = greatest(x.downloads, c.downloads) from counted c
            where x.tenant_id = $1 and x.user_id = $2 and x.id = $3
            returning x.id)
        """
    }

    private static let live = """
        x.tenant_id = $1 and x.user_id = $2 and x.id = $3 and x.status = 'ready' and x.revoked_at is null and x.expires_at > clock_timestamp()
            and account_is_open($1, $2)
        """
}

extension PostgresExportStore {
    package init(pool: ConnectionPool) {
        self.init(transaction: MemberTransaction(pool: pool), linkTransaction: OwnerTransaction(pool: pool))
    }
}
