package import DiaryCore
package import PostgresClient

/// Queued mails under their jobs, by the database role `diary_worker`.
package struct PostgresMailQueueStore: MailQueueStore {
    let jobs: JobTransaction

    package init(pool: ConnectionPool, catalogue: JobCatalogue = .diary) {
        self.init(transaction: OwnerTransaction(pool: pool), catalogue: catalogue)
    }

    init(transaction: OwnerTransaction, catalogue: JobCatalogue = .diary) {
        jobs = JobTransaction(transaction: transaction, catalogue: catalogue)
    }

    package func beginMail(_ job: LeasedJob) async throws(WorkError) -> QueuedMail {
        try await jobs.held(job).run([
            Self.dropUnwanted(job),
            Statement(
                """
                select m.kind, coalesce(m.payload, ''), m.key_id, m.subject, case when m.kind <> $4 then m.address_sealed
                    when address_is_proved($1, $2) then u.email_sealed end,
                    u.locale, u.email_sealed, m.created_at
                from mails m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
                where m.tenant_id = $1 and m.user_id = $2 and m.id = $3 and m.status = 'waiting'
                """,
                job.owner.parameters + [.uuid(job.subject), .text(MailKind.exportReady.rawValue)]),
            .endJob(
                job,
                unlessExists: """
                    select from mails m where m.tenant_id = $1 and m.user_id = $2 and m.id = j.subject and m.status = 'waiting'
                    """),
        ]) { rows in
            guard var row = rows.first(1) else { throw WorkError.ownerGone }
            return QueuedMail(
                id: MailID(job.subject), kind: try row.known(), payload: try row.bytes(), keyID: try row.uuid(),
                subject: try row.uuidOrNil(), addressSealed: try row.bytesOrNil(), locale: try row.textOrNil(),
                accountSealed: try row.bytesOrNil(), createdAt: try row.date())
        }
    }

    /// An export's mail that waited while the mails of its schedule were ended, and one in whose place another was asked for since.
    private static func dropUnwanted(_ job: LeasedJob) -> Statement {
        Statement(
            """
            delete from mails m
            where m.tenant_id = $1 and m.user_id = $2 and m.id = $3 and m.status = 'waiting' and m.kind = $4 and (
                exists (select from exports x where x.tenant_id = $1 and x.user_id = $2 and x.id = m.subject and not x.mail_asked)
                or exists (\(newer)))
            """, job.owner.parameters + [.uuid(job.subject), .text(MailKind.exportReady.rawValue)])
    }

    package func prepareMail(
        _ job: LeasedJob, addressHash: [UInt8], isAccountAddress: Bool, locales: [String]
    ) async throws(WorkError) -> PreparedMail {
        try await jobs.held(job).one(
            "select reason, locale, words, html from prepare_mail($1, $2, $3, $4, $5, $6)",
            job.owner.parameters + [.uuid(job.subject), .bytes(addressHash), .bool(isAccountAddress), .texts(locales)]
        ) { row in
            let bounce: MailBounceReason? = try row.knownOrNil()
            guard let locale = try row.textOrNil() else { return PreparedMail(bounce: bounce, words: nil) }
            return PreparedMail(
                bounce: bounce, words: MailWords(locale: locale, text: try row.textOrNil(), html: try row.textOrNil()))
        } ?? PreparedMail()
    }

    package func finishMail(_ job: LeasedJob) async throws(WorkError) -> JobKind? {
        try await jobs.finish(
            job,
            """
            sent as (
                update mails set status = 'sent', sent_at = clock_timestamp(), payload = '', address_sealed = null
                where tenant_id = $1 and user_id = $2 and id = $3 returning id, subject, kind, created_at),
            -- One that was on its way when the schedule's mails were ended was sent all the same. The reason why an earlier one failed goes.
            shown as (
                update exports x set mail_status = 'sent', mail_asked = true, code = case x.status when 'ready' then null else x.code end
                from sent m where x.tenant_id = $1 and x.user_id = $2 and x.id = m.subject and not exists (\(Self.newer) and n.status = 'waiting'))
            """, for: "sent")
    }

    /// Another mail about what the mail `m` is about, asked for since: the export shows that one's state.
    private static let newer = """
        select from mails n
        where n.tenant_id = $1 and n.user_id = $2 and n.subject = m.subject and n.kind = m.kind and n.created_at > m.created_at
        """

    static func failed(_ job: LeasedJob, code: ProcessingCode) -> Statement {
        Statement(
            """
            with failed as (
                update mails set status = 'failed', payload = '', address_sealed = null
                where tenant_id = $1 and user_id = $2 and id = $3 returning subject, kind, created_at)
            update exports x set mail_status = 'failed', code = $4 from failed m
            where x.tenant_id = $1 and x.user_id = $2 and x.id = m.subject and x.mail_asked and not exists (\(newer))
            """, job.owner.parameters + [.uuid(job.subject), .text(code.rawValue)])
    }
}
