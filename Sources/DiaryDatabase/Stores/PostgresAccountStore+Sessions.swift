package import DiaryCore
import FoundationEssentials

extension PostgresAccountStore {
    package func verifyEmail(
        _ emailHash: [UInt8], owner: Owner, registrationHash: [UInt8], codeHash: [UInt8], maxTries: Int, session: NewSession
    ) async throws(DiaryError) -> Bool {
        do {
            let rows = try await door.run(
                owner,
                [
                    // The identity's lock makes parallel guesses count one after another.
                    Statement(
                        "select 1 from identities where tenant_id = $1 and issuer = 'email' and subject_hash = $2 for update",
                        [.uuid(owner.tenant.uuid), .bytes(emailHash)]),
                    Statement(
                        """
                        with hit as (
                            update email_codes set used_at = clock_timestamp() where tenant_id = $1 and user_id = $2 and code_hash = $3
                                and purpose = 'verify' and used_at is null and tries < $4 and expires_at > clock_timestamp()
                            returning id, password_phc),
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
                        opened as (
                            insert into sessions (tenant_id, user_id, id, device_sealed, expires_at, idle_expires_at, refresh_number, refresh_hash)
                            select $1, $2, $6, $7, clock_timestamp() + make_interval(secs => $8), clock_timestamp() + make_interval(secs => $9), 1, $10
                            from proved)
                        select user_id from proved
                        """,
                        owner.parameters + [
                            .bytes(codeHash), .int4(Int32(clamping: maxTries)), .bytes(emailHash), .uuid(session.id.uuid),
                            .bytes(session.deviceSealed),
                            .double(Double(session.absoluteSeconds)), .double(Double(session.idleSeconds)), .bytes(session.refreshHash),
                            .bytes(registrationHash),
                        ]),
                ])
            return rows.first(1) != nil
        } catch {
            throw error.forClient
        }
    }

    package func openSession(_ session: NewSession, for owner: Owner, rehashed: (emailHash: [UInt8], phc: String)?) async throws(DiaryError)
    {
        var statements = [
            Statement(
                """
                insert into sessions (tenant_id, user_id, id, device_sealed, expires_at, idle_expires_at, refresh_number, refresh_hash)
                values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5), clock_timestamp() + make_interval(secs => $6), 1, $7)
                """,
                owner.parameters + [
                    .uuid(session.id.uuid), .bytes(session.deviceSealed), .double(Double(session.absoluteSeconds)),
                    .double(Double(session.idleSeconds)), .bytes(session.refreshHash),
                ])
        ]
        if let rehashed {
            statements.append(
                Statement(
                    "update identities set password_phc = $4 where tenant_id = $1 and user_id = $2 and issuer = 'email' and subject_hash = $3",
                    owner.parameters + [.bytes(rehashed.emailHash), .text(rehashed.phc)]))
        }
        do { _ = try await door.run(owner, statements) } catch { throw error.forClient }
    }

    package func rotate(
        _ session: SessionID, of owner: Owner, presentedNumber: Int, presentedHash: [UInt8], nextHash: [UInt8], graceSeconds: Int,
        idleSeconds: Int
    ) async throws(DiaryError) -> RotationOutcome {
        do {
            let rows = try await door.run(
                owner,
                [
                    Statement(
                        """
                        update sessions set refresh_number = $4 + 1, refresh_hash = $6, previous_hash = $5, rotated_at = clock_timestamp(),
                            last_used_at = clock_timestamp(), idle_expires_at = clock_timestamp() + make_interval(secs => $7)
                        where tenant_id = $1 and user_id = $2 and id = $3 and refresh_number = $4 and refresh_hash = $5
                            and revoked_at is null and least(expires_at, idle_expires_at) > clock_timestamp()
                        returning id
                        """,
                        owner.parameters + [
                            .uuid(session.uuid), .int4(Int32(clamping: presentedNumber)), .bytes(presentedHash), .bytes(nextHash),
                            .double(Double(idleSeconds)),
                        ]),
                    // A lost answer: the parent of the newest token comes again within the grace.
                    Statement(
                        """
                        select id from sessions where tenant_id = $1 and user_id = $2 and id = $3 and refresh_number = $4 + 1 and previous_hash = $5
                            and refresh_hash = $6 and rotated_at > clock_timestamp() - make_interval(secs => $7)
                            and revoked_at is null and least(expires_at, idle_expires_at) > clock_timestamp()
                        """,
                        owner.parameters + [
                            .uuid(session.uuid), .int4(Int32(clamping: presentedNumber)), .bytes(presentedHash), .bytes(nextHash),
                            .double(Double(graceSeconds)),
                        ]),
                    // The parent after the grace: two hold this session, and nobody can tell which one is the thief (D8).
                    Statement(
                        """
                        update sessions set revoked_at = clock_timestamp() where tenant_id = $1 and user_id = $2 and id = $3
                            and refresh_number = $4 + 1 and previous_hash = $5 and revoked_at is null
                            and rotated_at <= clock_timestamp() - make_interval(secs => $6)
                        """,
                        owner.parameters + [
                            .uuid(session.uuid), .int4(Int32(clamping: presentedNumber)), .bytes(presentedHash),
                            .double(Double(graceSeconds)),
                        ]),
                ])
            if rows.first(0) != nil { return .rotated }
            return rows.first(1) != nil ? .withinGrace : .refused
        } catch {
            throw error.forClient
        }
    }
}
