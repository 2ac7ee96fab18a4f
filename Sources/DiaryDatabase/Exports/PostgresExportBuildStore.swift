package import DiaryCore
package import FoundationEssentials

extension PostgresWorkStore {
    package func beginExport(_ job: LeasedJob) async throws(WorkError) -> (Export, StoredProfile) {
        let rows = try await held(
            job,
            [
                Statement(
                    """
                    update exports x set status = 'building' where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 and x.revoked_at is null
                        and x.status in ('queued', 'building')
                    returning \(ExportColumns.list)
                    """, job.owner.parameters + [.uuid(job.subject)]),
                StoredProfile.statement(job.owner),
                // Revoked before it was built: nothing left to do.
                Statement(
                    """
                    update jobs j set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null
                    where j.id = $3 and j.attempt = $4 and not exists (
                        select from exports x where x.tenant_id = $1 and x.user_id = $2 and x.id = j.subject and x.status = 'building' and x.revoked_at is null)
                    """, job.owner.parameters + job.fence),
            ])
        guard let export = rows.first(0), let profile = rows.first(1) else { throw .ownerGone }
        do { return (try Export(export), try StoredProfile(profile)) } catch { throw error.forWorker }
    }

    package func readExport(_ export: Export, of owner: Owner, page: @escaping @Sendable ([StoredEntry]) async throws -> Void) async throws
    {
        let session = try DedicatedConnection(snapshot, runDeadline: .seconds(60), logger: logger)
        defer { session.close() }
        // One snapshot for all pages (E5); it is read only and ends with the session.
        try await session.runScript("begin isolation level repeatable read read only")
        _ = try await session.run([transaction.opening(owner.tenant, owner.user)])
        // Before the first day of the calendar: a position that is always there keeps the index's range for every page.
        var after = DatePosition(recordedAt: Date(timeIntervalSince1970: -62_135_596_800 - 172_800), id: EntryID(UUIDv7.make()))
        while true {
            let rows = try await session.run([Self.exportPage(export, of: owner, after: after)])
            let entries = try rows[0].map { row throws(DatabaseError) in try StoredEntry(row) }
            guard let last = entries.last else { break }
            try await page(entries)
            after = DatePosition(recordedAt: last.facts.recordedAt, id: last.facts.id)
            if entries.count < 200 { break }
        }
        try await session.runScript("commit")
    }

    static func exportPage(_ export: Export, of owner: Owner, after: DatePosition) -> Statement {
        Statement(
            """
            select \(EntryColumns.list) from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null
                and e.recorded_at >= $3::date::timestamp at time zone $5 and e.recorded_at < ($4::date + 1)::timestamp at time zone $5
                and (e.recorded_at, e.id) > ($6, $7)
            order by e.recorded_at, e.id limit 200
            """,
            owner.parameters + [
                .date(export.from.description), .date(export.to.description), .text(export.timeZone), .timestamp(after.recordedAt),
                .uuid(after.id.uuid),
            ])
    }

    package func finishExport(
        _ job: LeasedJob, object: UUID, keyID: UUID, size: Int64, entryCount: Int, expiresAt: Date, mail: QueuedMail, mailJob: JobID
    ) async throws(WorkError) {
        _ = try await finish(
            job, key: keyID,
            Statement(
                """
                with ready as (
                    update exports x set status = 'ready', object_id = $4, key_id = $5, size_bytes = $6, entry_count = $7, ready_at = clock_timestamp(),
                        expires_at = $8
                    where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 returning x.id, x.revoked_at),
                mail as (
                    insert into mails (tenant_id, user_id, id, kind, payload, key_id, subject)
                    select $1, $2, $9, $10, $11, $5, r.id from ready r where r.revoked_at is null returning id)
                insert into jobs (id, tenant_id, user_id, kind, subject) select $12, $1, $2, 'mail', m.id from mail m
                """,
                job.owner.parameters + [
                    .uuid(job.subject), .uuid(object), .uuid(keyID), .int(size), .int4(Int32(clamping: entryCount)), .timestamp(expiresAt),
                    .uuid(mail.id.uuid), .text(mail.kind.rawValue), .bytes(mail.payload), .uuid(mailJob.uuid),
                ]))
    }

    package func beginMail(_ job: LeasedJob) async throws(WorkError) -> QueuedMail {
        let rows = try await held(
            job,
            [
                Statement(
                    """
                    select kind, coalesce(payload, ''), key_id, subject, address_sealed from mails
                    where tenant_id = $1 and user_id = $2 and id = $3 and status = 'waiting'
                    """,
                    job.owner.parameters + [.uuid(job.subject)]),
                Statement(
                    """
                    update jobs j set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null
                    where j.id = $3 and j.attempt = $4 and not exists (
                        select from mails m where m.tenant_id = $1 and m.user_id = $2 and m.id = j.subject and m.status = 'waiting')
                    """, job.owner.parameters + job.fence),
            ])
        guard let row = rows.first(0) else { throw .ownerGone }
        do {
            return QueuedMail(
                id: MailID(job.subject), kind: try row.known(0), payload: try row.bytes(1), keyID: try row.uuid(2),
                subject: try row.uuidOrNil(3), addressSealed: try row.bytesOrNil(4))
        } catch {
            throw error.forWorker
        }
    }

    package func finishMail(_ job: LeasedJob) async throws(WorkError) {
        _ = try await finish(
            job, key: nil,
            Statement(
                """
                with sent as (
                    update mails set status = 'sent', sent_at = clock_timestamp(), payload = '', address_sealed = null where tenant_id = $1 and user_id = $2 and id = $3
                    returning subject)
                update exports x set mail_status = 'sent' from sent s where x.tenant_id = $1 and x.user_id = $2 and x.id = s.subject
                """, job.owner.parameters + [.uuid(job.subject)]))
    }
}
