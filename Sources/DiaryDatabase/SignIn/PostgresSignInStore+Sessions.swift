package import DiaryCore
import FoundationEssentials
import PostgresClient

extension PostgresSignInStore {
    package func verifyEmail(
        _ emailHash: [UInt8], owner: Owner, registrationHash: [UInt8], codeHash: [UInt8], maxTries: Int, session: NewSession
    ) async throws(DiaryError) -> Bool {
        let rows = try await transaction.forClient(owner).run([
            // The user's locks come before the identity's (decision D9), which serialises the counting of parallel guesses.
            PostgresIdentityStore.lockUser(owner), CodeStatements.lock(owner),
            Statement(
                "select 1 from identities where tenant_id = $1 and issuer = 'email' and subject_hash = $2 for update",
                [.uuid(owner.tenant.uuid), .bytes(emailHash)]),
            Statement(
                """
                with hit as (
                    update email_codes set used_at = clock_timestamp() where tenant_id = $1 and user_id = $2 and code_hash = $3
                        and purpose = 'verify' and used_at is null and tries < $4 and expires_at > clock_timestamp()
                    returning id, password_phc, name_sealed, time_zone, locale),
                others as (
                    update email_codes c set tries = c.tries + 1,
                        used_at = case when exists (select from hit) then clock_timestamp() end
                    where c.tenant_id = $1 and c.user_id = $2 and c.used_at is null and c.code_hash <> $3
                        and (c.registration_hash = $11 or exists (select from hit))),
                proved as (
                    update identities i set verified_at = clock_timestamp(), password_phc = h.password_phc
                    from (select * from hit limit 1) h
                    where i.tenant_id = $1 and i.user_id = $2 and i.issuer = 'email' and i.subject_hash = $5 and i.verified_at is null
                    returning i.user_id),
                profiled as (
                    update users u set name_sealed = h.name_sealed, time_zone = h.time_zone, locale = h.locale
                    from (select * from hit where time_zone is not null limit 1) h, proved p where u.tenant_id = $1 and u.id = p.user_id),
                opened as (
                    insert into sessions (tenant_id, user_id, id, device_sealed, expires_at, idle_expires_at, refresh_number, refresh_hash,
                        place_sealed)
                    select $1, $2, $6, $7, clock_timestamp() + make_interval(secs => $8), clock_timestamp() + make_interval(secs => $9), 1, $10,
                        $12
                    from proved)
                select user_id from proved
                """,
                owner.parameters + [
                    .bytes(codeHash), .int4(Int32(clamping: maxTries)), .bytes(emailHash), .uuid(session.id.uuid),
                    .bytes(session.deviceSealed),
                    .double(Double(session.absoluteSeconds)), .double(Double(session.idleSeconds)), .bytes(session.refreshHash),
                    .bytes(registrationHash), .bytes(session.placeSealed),
                ]),
            event(.registered, of: session, owner), CodeStatements.flush,
        ])
        return rows.first(3) != nil
    }

    package func openSession(
        _ session: NewSession, for owner: Owner, by verified: String, rehashed: (emailHash: [UInt8], phc: String)?
    ) async throws(DiaryError) -> Bool {
        var statements = [
            // Serialises with an administrator who disables the account.
            CodeStatements.lock(owner),
            Statement(
                """
                insert into sessions (tenant_id, user_id, id, device_sealed, expires_at, idle_expires_at, refresh_number, refresh_hash, place_sealed)
                select $1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5), clock_timestamp() + make_interval(secs => $6), 1, $7, $8
                from identities i where i.tenant_id = $1 and i.user_id = $2 and i.issuer = 'email' and i.verified_at is not null
                    and i.password_phc = $9 for no key update
                returning id
                """,
                owner.parameters + [
                    .uuid(session.id.uuid), .bytes(session.deviceSealed), .double(Double(session.absoluteSeconds)),
                    .double(Double(session.idleSeconds)), .bytes(session.refreshHash), .bytes(session.placeSealed),
                    .text(verified),
                ]), event(.signedIn, of: session, owner),
        ]
        if let rehashed {
            statements.append(
                Statement(
                    """
                    update identities set password_phc = $4 where tenant_id = $1 and user_id = $2 and issuer = 'email' and subject_hash = $3
                        and password_phc = $5
                    """, owner.parameters + [.bytes(rehashed.emailHash), .text(rehashed.phc), .text(verified)]))
        }
        return try await transaction.forClient(owner).run(statements).first(1) != nil
    }

    /// Recorded only if this call opened the session, whose id no other call has.
    func event(_ kind: AuditEvent.Kind, of session: NewSession, _ owner: Owner) -> Statement {
        Statement(
            "select record_event($1, $2, $4, 'member', $3, $5) from sessions where tenant_id = $1 and user_id = $2 and id = $3",
            owner.parameters + [.uuid(session.id.uuid), .text(kind.rawValue), .text(session.requestID)])
    }

    package func rotate(_ session: SessionID, of owner: Owner, _ rotation: Rotation) async throws(DiaryError) -> RotationOutcome {
        try await transaction.forClient(owner).run([
            Statement(
                """
                select outcome, newest, newest_hash from rotate_and_tell($1, $2, $3, $4, $5, $6, make_interval(secs => $7),
                    make_interval(secs => $8), $9, make_interval(secs => $10), $11)
                """,
                owner.parameters + [
                    .uuid(session.uuid), .int4(Int32(clamping: rotation.number)), .bytes(rotation.hash), .bytes(rotation.nextHash),
                    .double(Double(rotation.graceSeconds)), .double(Double(rotation.burstSeconds)),
                    .int4(Int32(clamping: rotation.graceUses)), .double(Double(rotation.idleSeconds)), .text(rotation.requestID),
                ]),
            Statement(
                """
                select extract(epoch from least(idle_expires_at, expires_at) - clock_timestamp())::bigint,
                    extract(epoch from expires_at - clock_timestamp())::bigint
                from sessions where tenant_id = $1 and user_id = $2 and id = $3
                """, owner.parameters + [.uuid(session.uuid)]),
        ]) { rows in
            guard var row = rows.first(0), var times = rows.first(1) else { return .refused }
            let life = SessionLife(refreshSeconds: max(0, try times.count()), sessionSeconds: max(0, try times.count()))
            switch try row.text() {
            case "rotated": return .rotated(life)
            case "repeated": return .withinGrace(life)
            case "too_often": return .tooOften
            case "reused": return .reused
            case "older": return .older(newest: try row.count(), hash: try row.bytes())
            default: return .refused
            }
        }
    }

    package func endReused(_ session: SessionID, of owner: Owner, requestID: String?) async throws(DiaryError) {
        try await transaction.forClient(owner).run(
            """
            with ended as (
                update sessions set revoked_at = clock_timestamp() where tenant_id = $1 and user_id = $2 and id = $3 and revoked_at is null
                returning id)
            select record_event($1, $2, $4, '\(AuditEvent.Actor.anonymous.rawValue)', e.id, $5), queue_notice($1, $2, $6) from ended e
            """,
            owner.parameters + [
                .uuid(session.uuid), .text(AuditEvent.Kind.refreshReused.rawValue), .text(requestID),
                .text(MailKind.sessionReused.rawValue),
            ])
    }
}
