import DiaryCore
import FoundationEssentials
import PostgresClient

/// Statements of transactions with mailed codes. `$1` and `$2` are tenant and user; `$3` is the redemption where a condition needs it.
enum CodeStatements {
    /// True in the transaction that used up a code with this redemption.
    static let redeemed = "exists (select from email_codes r where r.tenant_id = $1 and r.user_id = $2 and r.redemption = $3)"

    /// Whether the code `$3` was written.
    static let isThere = "exists (select from email_codes c where c.tenant_id = $1 and c.user_id = $2 and c.id = $3)"

    /// Serialises the counting of parallel tries and requests.
    static func lock(_ owner: Owner) -> Statement {
        Statement("select 1 from users where tenant_id = $1 and id = $2 for no key update", owner.parameters)
    }

    /// Uses up the code when it is valid and matches; otherwise counts a wrong try against the valid codes of the same requester.
    static func take(_ code: PresentedCode, _ redemption: UUID, _ owner: Owner) -> Statement {
        Statement(
            """
            with hit as (
                update email_codes set used_at = clock_timestamp(), redemption = $3 where tenant_id = $1 and user_id = $2 and purpose = $4
                    and code_hash = $5 and registration_hash = $6 and used_at is null and tries < $7 and expires_at > clock_timestamp()
                returning id),
            wrong as (
                update email_codes c set tries = c.tries + 1 where c.tenant_id = $1 and c.user_id = $2 and c.purpose = $4 and c.registration_hash = $6
                    and c.code_hash <> $5 and c.used_at is null)
            select id from hit
            """,
            owner.parameters + [
                .uuid(redemption), .text(code.purpose.rawValue), .bytes(code.hash), .bytes(code.requestHash),
                .int4(Int32(clamping: code.maxTries)),
            ])
    }

    static func endOthers(_ redemption: UUID, _ owner: Owner, purposes: [CodePurpose]) -> Statement {
        Statement(
            """
            update email_codes set used_at = clock_timestamp() where tenant_id = $1 and user_id = $2 and used_at is null and purpose = any ($4)
                and \(redeemed)
            """, owner.parameters + [.uuid(redemption), .texts(purposes.map(\.rawValue))])
    }

    static func open(_ session: NewSession, _ redemption: UUID, _ owner: Owner) -> Statement {
        Statement(
            """
            insert into sessions (tenant_id, user_id, id, device_sealed, place_sealed, expires_at, idle_expires_at, refresh_number, refresh_hash)
            select $1, $2, $4, $5, $6, clock_timestamp() + make_interval(secs => $7), clock_timestamp() + make_interval(secs => $8), 1, $9
            where \(redeemed)
            """, owner.parameters + [.uuid(redemption)] + session.parameters)
    }

    /// Recorded only if this call opened the session, whose id no other call has.
    static func event(_ kind: AuditEvent.Kind, _ session: SessionID, _ requestID: String?, _ owner: Owner) -> Statement {
        Statement(
            "select record_event($1, $2, $4, 'member', $3, $5) from sessions where tenant_id = $1 and user_id = $2 and id = $3",
            owner.parameters + [.uuid(session.uuid), .text(kind.rawValue), .text(requestID)])
    }

    /// A mail and its job, where the code was redeemed.
    static func mail(_ mail: QueuedMail, _ redemption: UUID, _ owner: Owner) -> [Statement] {
        Self.mail(mail, redemption, where: redeemed, owner)
    }

    /// The same, where the session was opened.
    static func mail(_ mail: QueuedMail, opening session: SessionID, _ owner: Owner) -> [Statement] {
        Self.mail(
            mail, session.uuid, where: "exists (select from sessions s where s.tenant_id = $1 and s.user_id = $2 and s.id = $3)", owner)
    }

    private static func mail(_ mail: QueuedMail, _ asked: UUID, where condition: String, _ owner: Owner) -> [Statement] {
        [
            Statement(
                """
                insert into mails (tenant_id, user_id, id, kind, payload, key_id) select $1, $2, $4, $5, $6, $7 where \(condition)
                """,
                owner.parameters + [
                    .uuid(asked), .uuid(mail.id.uuid), .text(mail.kind.rawValue), .bytes(mail.payload), .uuid(mail.keyID),
                ]),
            Statement(
                """
                \(JobInsertion.sql(id: "m.id", kind: "$4", subject: "m.id", from: "mails m"))
                where m.tenant_id = $1 and m.user_id = $2 and m.id = $3
                """, owner.parameters + [.uuid(mail.id.uuid), .text(JobKind.mail.rawValue)]),
        ]
    }

    /// Writes about as many bytes to the WAL as a code and its mail, so that the commit waits for the disk also when nothing was written
    /// and an unknown address takes no less time (B8).
    static let flush = Statement("select pg_logical_emit_message(true, 'diary', repeat('.', 600))")
}

extension Statement {
    /// Ends the links of finished exports, the mailed codes, and the waiting mails with either. Locks the account, so that a transaction that
    /// also locks its sessions has this statement first, or `CodeStatements.lock`.
    /// - Parameters:
    ///   - condition: SQL; `$1` and `$2` are tenant and user, `values` follow from `$3`.
    static func endLinksAndCodes(of owner: Owner, where condition: String = "true", _ values: [Parameter] = []) -> Statement {
        Statement("select end_own_links_and_codes($1, $2) where \(condition)", owner.parameters + values)
    }
}
