package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Sign-in, by the database role `diary_auth`: finds users by tenant and keyed hash, never touches a table with diary text.
package struct PostgresSignInStore: SignInStore {
    let transaction: OwnerTransaction

    package func register(_ account: NewAccount, code: NewCode, mail: QueuedMail) async throws(DiaryError) -> Bool {
        let owner = account.owner
        do {
            _ = try await transaction.run(
                owner,
                [
                    Statement(
                        """
                        insert into users (tenant_id, id, email_sealed, name_sealed, time_zone, locale)
                        values ($1, $2, $3, $4, (select zone_name($5) where now() at time zone $5 is not null), $6)
                        """,
                        owner.parameters + [
                            .bytes(account.emailSealed), .bytes(account.signUp.nameSealed), .text(account.signUp.timeZone),
                            .text(account.signUp.locale),
                        ]),
                    Statement(
                        "insert into user_sync (tenant_id, user_id, key_id) values ($1, $2, $3)", owner.parameters + [.uuid(account.keyID)]),
                    Statement(
                        // No password yet: redeeming the code sets the one of its sign-up.
                        "insert into identities (tenant_id, user_id, issuer, subject_hash) values ($1, $2, 'email', $3)",
                        owner.parameters + [.bytes(account.emailHash)]),
                    insertCode(code, account.signUp, owner), insertMail(mail, owner), insertMailJob(mail, owner),
                ])
            return true
        } catch {
            if error.kind == .constraint("identities_pk") { return false }
            throw error.forClient
        }
    }

    package func check(timeZone: String) async throws(DiaryError) {
        try await transaction.pool.forClient.run("select now() at time zone zone_name($1)", [.text(timeZone)])
    }

    package func emailIdentity(_ hash: [UInt8], tenant: TenantID) async throws(DiaryError) -> EmailIdentity? {
        try await transaction.forClient(tenant).one(
            """
            select i.user_id, s.key_id, i.password_phc, i.verified_at is not null, u.email_sealed, u.disabled_at is not null from identities i
            join users u on u.tenant_id = i.tenant_id and u.id = i.user_id
            join user_sync s on s.tenant_id = i.tenant_id and s.user_id = i.user_id
            where i.tenant_id = $1 and i.issuer = 'email' and i.subject_hash = $2 and u.deleted_at is null
            """, [.uuid(tenant.uuid), .bytes(hash)]
        ) { row in
            EmailIdentity(
                owner: Owner(tenant: tenant, user: UserID(try row.uuid())), keyID: try row.uuid(), passwordPHC: try row.textOrNil(),
                verified: try row.bool(), emailSealed: try row.bytes(), disabled: try row.bool())
        }
    }

    package func issueCode(
        _ code: NewCode, _ signUp: SignUp, mail: QueuedMail, to owner: Owner, limits: Limits
    ) async throws(DiaryError) -> Bool {
        try await add(
            code, mail, to: owner,
            """
            select $1, $2, $3, 'verify', $4, $5, clock_timestamp() + make_interval(secs => $6), $7, $15::text, $16::bytea, zone_name($17), $18::text
            where \(Self.belowLimit)
            """, limits, signUp.parameters)
    }

    package func reissueCode(_ code: NewCode, mail: QueuedMail, to owner: Owner, limits: Limits) async throws(DiaryError) -> Bool {
        try await add(
            code, mail, to: owner,
            """
            select $1, $2, $3, 'verify', $4, $5, clock_timestamp() + make_interval(secs => $6), $7, e.password_phc, e.name_sealed, e.time_zone, e.locale
            from email_codes e where e.tenant_id = $1 and e.user_id = $2 and e.registration_hash = $5 and e.purpose = 'verify'
                and \(Self.belowLimit)
                and (select count(*) from email_codes where tenant_id = $1 and user_id = $2 and registration_hash = $5
                    and created_at > clock_timestamp() - interval '1 hour') < $9
            order by e.time_zone is null limit 1
            """, limits)
    }

    /// Bounds the codes of an address over all its sign-ups and repeats, and those of one requester, who then cannot use up the
    /// whole limit.
    private static let belowLimit = """
        (select count(*) < $8 and count(*) filter (where asker_hash is not distinct from $7) < $9 from email_codes
            where tenant_id = $1 and user_id = $2 and purpose = 'verify' and created_at > clock_timestamp() - interval '1 hour')
        """

    /// One statement, so that the mail exists exactly when its code does. The identity's lock serialises the counting of parallel requests.
    private func add(
        _ code: NewCode, _ mail: QueuedMail, to owner: Owner, _ source: String, _ limits: Limits, _ further: [Parameter] = []
    ) async throws(DiaryError) -> Bool {
        let rows = try await transaction.forClient(owner).run([
            lockIdentities(owner),
            Statement(
                """
                with code as (
                    insert into email_codes (tenant_id, user_id, id, purpose, code_hash, registration_hash, expires_at, asker_hash, password_phc,
                        name_sealed, time_zone, locale)
                    \(source) returning id),
                mail as (
                    insert into mails (tenant_id, user_id, id, kind, payload, key_id) select $1, $2, $10, $11, $12, $13 from code),
                job as (\(JobInsertion.sql(id: "$10", kind: "$14", subject: "$10", from: "code")))
                select id from code
                """,
                owner.parameters + [
                    .uuid(code.id), .bytes(code.hash), .bytes(code.registrationHash),
                    .double(Double(code.lifetimeSeconds)), .bytes(code.requesterHash), .int(limits.addressCodesPerHour),
                    .int(limits.codesPerHour), .uuid(mail.id.uuid),
                    .text(mail.kind.rawValue), .bytes(mail.payload), .uuid(mail.keyID), .text(JobKind.mail.rawValue),
                ] + further), CodeStatements.flush,
        ])
        return rows.first(1) != nil
    }

    package func queue(_ mail: QueuedMail, to owner: Owner, perHour: Int) async throws(DiaryError) {
        try await transaction.forClient(owner).run([
            lockIdentities(owner),
            Statement(
                """
                with mail as (
                    insert into mails (tenant_id, user_id, id, kind, payload, key_id, subject) select $1, $2, $3, $4, $5, $6, $7
                    where (select count(*) from mails where tenant_id = $1 and user_id = $2 and kind = $4
                        and created_at > clock_timestamp() - interval '1 hour') < $8
                    returning id)
                \(JobInsertion.sql(id: "$3", kind: "$9", subject: "$3", from: "mail"))
                """,
                owner.parameters + [
                    .uuid(mail.id.uuid), .text(mail.kind.rawValue), .bytes(mail.payload), .uuid(mail.keyID), .uuid(mail.subject),
                    .int(perHour), .text(JobKind.mail.rawValue),
                ]), CodeStatements.flush,
        ])
    }

    func lockIdentities(_ owner: Owner) -> Statement {
        Statement("select 1 from identities where tenant_id = $1 and user_id = $2 order by issuer for update", owner.parameters)
    }

    private func insertCode(_ code: NewCode, _ signUp: SignUp, _ owner: Owner) -> Statement {
        Statement(
            """
            insert into email_codes (tenant_id, user_id, id, purpose, code_hash, registration_hash, expires_at, asker_hash, password_phc, name_sealed,
                time_zone, locale)
            values ($1, $2, $3, 'verify', $4, $5, clock_timestamp() + make_interval(secs => $6), $7, $8, $9, zone_name($10), $11)
            """,
            owner.parameters + [
                .uuid(code.id), .bytes(code.hash), .bytes(code.registrationHash), .double(Double(code.lifetimeSeconds)),
                .bytes(code.requesterHash),
            ] + signUp.parameters)
    }

    private func insertMail(_ mail: QueuedMail, _ owner: Owner) -> Statement {
        Statement(
            "insert into mails (tenant_id, user_id, id, kind, payload, key_id, subject) values ($1, $2, $3, $4, $5, $6, $7)",
            owner.parameters + [
                .uuid(mail.id.uuid), .text(mail.kind.rawValue), .bytes(mail.payload), .uuid(mail.keyID), .uuid(mail.subject),
            ])
    }

    /// The job carries the mail's own id: each mail has one job.
    private func insertMailJob(_ mail: QueuedMail, _ owner: Owner) -> Statement {
        Statement(
            JobInsertion.sql(id: "$3", kind: "$4", subject: "$3"), owner.parameters + [.uuid(mail.id.uuid), .text(JobKind.mail.rawValue)])
    }
}

extension PostgresSignInStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}

extension SignUp {
    fileprivate var parameters: [Parameter] { [.text(passwordPHC), .bytes(nameSealed), .text(timeZone), .text(locale)] }
}
