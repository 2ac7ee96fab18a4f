package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Passwords, addresses and proofs after sign-up, by the database role `diary_auth`. Statements after a code are conditional on its
/// `redemption`, an id drawn by this call: after a wrong code none of them changes anything.
package struct PostgresCredentialStore: CredentialStore {
    let transaction: OwnerTransaction
    let members: MemberTransaction

    package func mailCode(
        _ code: AccountCode, mail: QueuedMail, to owner: Owner, requester: CodeRequester, limits: Limits, claim: KeyClaim?
    ) async throws(DiaryError) -> Bool {
        let rows = try await run(
            owner, requester.member,
            [
                CodeStatements.lock(owner),
                Statement(
                    """
                    with code as (
                        insert into email_codes (tenant_id, user_id, id, purpose, code_hash, registration_hash, expires_at, new_subject_hash,
                            new_address_sealed, asker_hash)
                        select $1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7), $8, $9, $15
                        where exists (select from users where tenant_id = $1 and id = $2 and deleted_at is null and disabled_at is null)
                            and ($17::bytea is null or exists (select from identities where tenant_id = $1 and user_id = $2 and issuer = 'email'
                                and subject_hash = $17 and verified_at is not null))
                            and (select count(*) filter (where asker_hash is not distinct from $15) < $10 and count(*) < $16
                                from email_codes where tenant_id = $1 and user_id = $2 and purpose = $4
                                    and created_at > clock_timestamp() - interval '1 hour')
                        returning id),
                    mail as (
                        insert into mails (tenant_id, user_id, id, kind, payload, key_id) select $1, $2, $11, $12, $13, $14 from code),
                    job as (\(JobInsertion.sql(id: "$11", kind: "$18", subject: "$11", from: "code")))
                    select id from code
                    """,
                    owner.parameters + [
                        .uuid(code.id), .text(code.purpose.rawValue), .bytes(code.hash), .bytes(code.requestHash),
                        .double(Double(code.lifetimeSeconds)), .bytes(code.newAddress?.hash), .bytes(code.newAddress?.sealed),
                        .int(Int64(limits.codesPerHour)),
                        .uuid(mail.id.uuid), .text(mail.kind.rawValue), .bytes(mail.payload), .uuid(mail.keyID),
                        .bytes(requester.hash), .int(Int64(limits.accountCodesPerHour)), .bytes(code.addressHash),
                        .text(JobKind.mail.rawValue),
                    ]), CodeStatements.flush,
            ] + [claim?.statement(of: owner, where: CodeStatements.isThere, code.id)].compactMap(\.self))
        return rows.first(1) != nil
    }

    package func signIn(_ code: PresentedCode, of owner: Owner, session: NewSession) async throws(DiaryError) -> Bool {
        let redemption = UUIDv7.make()
        let rows = try await run(
            owner, nil,
            [
                CodeStatements.lock(owner), CodeStatements.take(code, redemption, owner),
                CodeStatements.endOthers(redemption, owner, purposes: [.login]),
                CodeStatements.open(session, redemption, owner), CodeStatements.event(.signedIn, session.id, session.requestID, owner),
                CodeStatements.flush,
            ])
        return rows.first(1) != nil
    }

    package func reset(
        _ code: PresentedCode, of owner: Owner, passwordPHC: String, endingTokens: Bool, session: NewSession, mail: QueuedMail
    ) async throws(DiaryError) -> Bool {
        let redemption = UUIDv7.make()
        let named = owner.parameters + [.uuid(redemption)]
        let rows = try await run(
            owner, nil,
            [
                CodeStatements.lock(owner), CodeStatements.take(code, redemption, owner),
                Statement(
                    """
                    update identities set password_phc = $4 where tenant_id = $1 and user_id = $2 and issuer = 'email' and \(CodeStatements.redeemed)
                    """, named + [.text(passwordPHC)]),
                Statement(
                    """
                    update sessions set revoked_at = clock_timestamp()
                    where tenant_id = $1 and user_id = $2 and revoked_at is null and \(CodeStatements.redeemed)
                    """, named),
                .endLinksAndCodes(of: owner, where: CodeStatements.redeemed, [.uuid(redemption)]),
                Statement.endAPITokens(endingTokens, of: owner, where: CodeStatements.redeemed, [.uuid(redemption)]),
                CodeStatements.open(session, redemption, owner), CodeStatements.event(.passwordReset, session.id, session.requestID, owner),
            ] + CodeStatements.mail(mail, redemption, owner) + [CodeStatements.flush])
        return rows.first(1) != nil
    }

    package func credentials(of member: Member, freshSeconds: Int) async throws(DiaryError) -> MemberCredentials {
        let credentials = try await members.of(member).one(
            """
            select case when i.verified_at is not null then i.password_phc end, u.email_sealed, u.name_sealed,
                address_is_proved($1, $2), s.proved_at > clock_timestamp() - make_interval(secs => $4)
            from users u join sessions s on s.tenant_id = u.tenant_id and s.user_id = u.id and s.id = $3
            left join identities i on i.tenant_id = u.tenant_id and i.user_id = u.id and i.issuer = 'email'
            where u.tenant_id = $1 and u.id = $2
            """, member.owner.parameters + [.uuid(member.session.uuid), .double(Double(freshSeconds))]
        ) { row in
            MemberCredentials(
                passwordPHC: try row.textOrNil(), emailSealed: try row.bytesOrNil(), nameSealed: try row.bytesOrNil(),
                addressIsProved: try row.bool(), isFresh: try row.bool())
        }
        guard let credentials else { throw .unauthorized }
        return credentials
    }

    package func prove(_ member: Member) async throws(DiaryError) {
        try await members.of(member).run(
            "update sessions set proved_at = clock_timestamp() where tenant_id = $1 and user_id = $2 and id = $3",
            member.owner.parameters + [.uuid(member.session.uuid)])
    }

    package func prove(_ member: Member, by code: PresentedCode, claim: KeyClaim?) async throws(DiaryError) -> Bool {
        let redemption = UUIDv7.make()
        let rows = try await members.run(
            member,
            [
                CodeStatements.lock(member.owner), CodeStatements.take(code, redemption, member.owner),
                Statement(
                    """
                    update sessions set proved_at = clock_timestamp()
                    where tenant_id = $1 and user_id = $2 and id = $4 and \(CodeStatements.redeemed)
                    """, member.owner.parameters + [.uuid(redemption), .uuid(member.session.uuid)]),
                // The code arrived, so the address takes mail.
                Statement(
                    "select lift_own_address($1, $2) where \(CodeStatements.redeemed)", member.owner.parameters + [.uuid(redemption)]),
            ] + [claim?.statement(of: member.owner, where: CodeStatements.redeemed, redemption)].compactMap(\.self))
        return rows.first(1) != nil
    }

    package func changePassword(
        _ passwordPHC: String, replacing verified: String?, endingTokens: Bool, by member: Member, session: NewSession, mail: QueuedMail?
    ) async throws(DiaryError) -> Bool {
        let owner = member.owner
        // Condition of the following statements: the password was changed, from the one that was verified.
        let changed = "exists (select from identities where tenant_id = $1 and user_id = $2 and issuer = 'email' and password_phc = $3)"
        let named = owner.parameters + [.text(passwordPHC)]
        let rows = try await members.run(
            member,
            [
                CodeStatements.lock(owner),
                Statement(
                    """
                    update identities set password_phc = $3 where tenant_id = $1 and user_id = $2 and issuer = 'email' and verified_at is not null
                        and password_phc is not distinct from $4
                    returning user_id
                    """, named + [.text(verified)]),
                Statement(
                    """
                    update sessions set revoked_at = clock_timestamp() where tenant_id = $1 and user_id = $2 and revoked_at is null and \(changed)
                    """, named),
                .endLinksAndCodes(of: owner, where: changed, [.text(passwordPHC)]),
                Statement.endAPITokens(endingTokens, of: owner, where: changed, [.text(passwordPHC)]),
                Statement(
                    """
                    insert into sessions (tenant_id, user_id, id, device_sealed, place_sealed, expires_at, idle_expires_at, refresh_number, refresh_hash)
                    select $1, $2, $4, $5, $6, clock_timestamp() + make_interval(secs => $7), clock_timestamp() + make_interval(secs => $8), 1, $9
                    where \(changed)
                    """, named + session.parameters),
                CodeStatements.event(.passwordChanged, session.id, session.requestID, owner),
            ] + (mail.map { CodeStatements.mail($0, opening: session.id, owner) } ?? []))
        return rows.first(1) != nil
    }

    package func changeAddress(
        _ code: PresentedCode, by member: Member, mail: QueuedMail?, requestID: String?, claim: KeyClaim?
    ) async throws(DiaryError) -> Bool {
        let owner = member.owner
        let redemption = UUIDv7.make()
        let named = owner.parameters + [.uuid(redemption)]
        let redeemed = "c.tenant_id = $1 and c.user_id = $2 and c.redemption = $3"
        do {
            let rows = try await members.of(member).send(
                [
                    CodeStatements.lock(owner), CodeStatements.take(code, redemption, owner),
                    // Removes an unverified sign-up for the same address.
                    Statement(
                        """
                        delete from identities i using email_codes c where \(redeemed) and i.tenant_id = $1 and i.issuer = 'email'
                            and i.subject_hash = c.new_subject_hash and i.verified_at is null and i.user_id <> $2
                        """, named),
                    Statement(
                        """
                        update identities i set subject_hash = c.new_subject_hash, verified_at = clock_timestamp() from email_codes c
                        where \(redeemed) and i.tenant_id = $1 and i.user_id = $2 and i.issuer = 'email'
                        """, named),
                    Statement(
                        """
                        insert into identities (tenant_id, user_id, issuer, subject_hash, verified_at)
                        select $1, $2, 'email', c.new_subject_hash, clock_timestamp() from email_codes c where \(redeemed)
                            and not exists (select from identities i where i.tenant_id = $1 and i.user_id = $2 and i.issuer = 'email')
                        """, named),
                    // Ends the account's links and codes (trigger `users_address_left`).
                    Statement(
                        "update users u set email_sealed = c.new_address_sealed from email_codes c where \(redeemed) and u.tenant_id = $1 and u.id = $2",
                        named),
                    Statement(
                        "select record_event($1, $2, $4, 'member', $5, $6) from email_codes c where \(redeemed)",
                        named + [.text(AuditEvent.Kind.addressChanged.rawValue), .uuid(member.session.uuid), .text(requestID)]),
                ] + (mail.map { CodeStatements.mail($0, redemption, owner) } ?? [])
                    + [claim?.statement(of: owner, where: CodeStatements.redeemed, redemption)].compactMap(\.self))
            return rows.first(1) != nil
        } catch {
            // Another account proved the address in the meantime.
            if error.kind == .constraint("identities_pk") { return false }
            throw error.forClient
        }
    }

    private func run(_ owner: Owner, _ member: Member?, _ statements: [Statement]) async throws(DiaryError) -> [Rows] {
        if let member { return try await members.run(member, statements) }
        return try await transaction.forClient(owner).run(statements)
    }
}

extension PostgresCredentialStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool), members: MemberTransaction(pool: pool)) }
}

extension NewSession {
    /// id, device, place, absolute and idle seconds, hash.
    var parameters: [Parameter] {
        [
            .uuid(id.uuid), .bytes(deviceSealed), .bytes(placeSealed), .double(Double(absoluteSeconds)), .double(Double(idleSeconds)),
            .bytes(refreshHash),
        ]
    }
}
