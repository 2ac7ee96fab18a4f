package import DiaryCore
import FoundationEssentials
import PostgresClient

extension PostgresIdentityStore {
    package func signIn(_ signIn: ProviderSignIn, update: IdentityUpdate?) async throws(DiaryError) -> Bool {
        let owner = signIn.owner
        var statements = [
            Self.takeChallenge(signIn.challengeHash, owner.tenant),
            // Locks the account before its sessions: one session above the limit ends the oldest (`end_oldest_sessions`).
            Self.lockUser(owner), CodeStatements.lock(owner),
            Statement(
                """
                insert into sessions (tenant_id, user_id, id, device_sealed, expires_at, idle_expires_at, refresh_number, refresh_hash, place_sealed)
                select $1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5), clock_timestamp() + make_interval(secs => $6), 1, $7, $8
                from identities i where i.tenant_id = $1 and i.user_id = $2 and i.id = $9 and may_sign_in($1, $2)
                -- Not while it is being taken away: what this keeps of Apple must be seen by that.
                for key share of i
                returning id
                """, signIn.sessionParameters + [.uuid(signIn.identity.uuid)]),
            Self.requireSession(signIn),
        ]
        if let update { statements += Self.note(update, signIn, owner) }
        if let grant = signIn.grant { statements += Self.keep(grant, signIn.subject, signIn.identity, owner) }
        statements.append(Self.event("signed_in", signIn))
        return try await written(statements, owner)
    }

    package func register(
        _ signIn: ProviderSignIn, _ identity: NewIdentity, _ account: NewProviderAccount
    ) async throws(DiaryError) -> Bool {
        let owner = signIn.owner
        var statements = [
            Self.takeChallenge(signIn.challengeHash, owner.tenant),
            Statement(
                """
                insert into users (tenant_id, id, email_sealed, name_sealed, time_zone, locale)
                values ($1, $2, $3, $4, (select zone_name($5) where now() at time zone $5 is not null), $6)
                """,
                owner.parameters + [
                    .bytes(account.emailSealed), .bytes(account.nameSealed), .text(account.timeZone), .text(account.locale),
                ]),
            Statement("insert into user_sync (tenant_id, user_id, key_id) values ($1, $2, $3)", owner.parameters + [.uuid(account.keyID)]),
            Self.insert(identity, signIn.subject, owner), Self.openSession(signIn),
        ]
        if let grant = signIn.grant { statements += Self.keep(grant, signIn.subject, identity.id, owner) }
        statements += [Self.event("registered", signIn), Self.event("signed_in", signIn)]
        return try await written(statements, owner)
    }

    package func join(_ signIn: ProviderSignIn, _ identity: NewIdentity, addressHash: [UInt8]) async throws(DiaryError) -> Bool {
        let owner = signIn.owner
        var statements = [
            Self.takeChallenge(signIn.challengeHash, owner.tenant),
            Self.lockUser(owner),
            // Raises when the address no longer belongs to the account, or was never proved.
            Statement("select require_address($1, $2, $3)", owner.parameters + [.bytes(addressHash)]),
            Self.linkedNotice(owner), Self.insert(identity, signIn.subject, owner), Self.openSession(signIn),
        ]
        if let grant = signIn.grant { statements += Self.keep(grant, signIn.subject, identity.id, owner) }
        statements += [Self.event("identity_linked", signIn), Self.event("signed_in", signIn)]
        return try await written(statements, owner)
    }

    private func written(_ statements: [Statement], _ owner: Owner) async throws(DiaryError) -> Bool {
        do {
            _ = try await transaction.run(owner, statements)
            return true
        } catch {
            // A concurrent request linked the identity first, or took it away.
            if error.kind == .constraint("identities_pk") || error.kind == .raised(code: "DI421") { return false }
            throw error.forClient
        }
    }

    static func takeChallenge(_ hash: [UInt8], _ tenant: TenantID) -> Statement {
        Statement("select take_challenge($1, $2)", [.uuid(tenant.uuid), .bytes(hash)])
    }

    /// The user's lock comes before those of users and identities (decision D9), in the same order as in unlinking and erasing.
    static func lockUser(_ owner: Owner) -> Statement {
        Statement("select 1 from user_sync where tenant_id = $1 and user_id = $2 for share", owner.parameters)
    }

    /// The provider's token has just been checked, so the identity is verified from the start.
    static func insert(_ identity: NewIdentity, _ subject: ProviderSubject, _ owner: Owner) -> Statement {
        Statement(
            """
            insert into identities (tenant_id, user_id, id, issuer, subject_hash, subject_sealed, address_sealed, proves_address, verified_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())
            """,
            owner.parameters + [
                .uuid(identity.id.uuid), .text(subject.provider.rawValue), .bytes(subject.hash), .bytes(identity.subjectSealed),
                .bytes(identity.addressSealed),
                .bool(identity.provesAddress),
            ])
    }

    /// Writes the address first and then the identity that proves it, because a change of address removes every proof. Writes neither
    /// when the account's address is no longer `update.readAgainst`; the next sign-in reads the change again.
    private static func note(_ update: IdentityUpdate, _ signIn: ProviderSignIn, _ owner: Owner) -> [Statement] {
        var statements: [Statement] = []
        if let address = update.accountAddressSealed {
            statements.append(readdress(owner, address, readAgainst: update.readAgainst, opening: signIn.session.id))
        }
        statements.append(
            Statement(
                """
                update identities set address_sealed = $5, proves_address = $6 where tenant_id = $1 and user_id = $2 and id = $3
                    and exists (select from users u where u.tenant_id = $1 and u.id = $2 and u.email_sealed is not distinct from $4)
                """,
                owner.parameters + [
                    .uuid(signIn.identity.uuid), .bytes(update.accountAddressSealed ?? update.readAgainst), .bytes(update.addressSealed),
                    .bool(update.provesAddress),
                ]))
        return statements
    }

    /// - Parameter session: when set, the change requires that this session was opened before.
    static func readdress(_ owner: Owner, _ address: [UInt8], readAgainst: [UInt8]?, opening session: SessionID? = nil) -> Statement {
        Statement(
            """
            update users set email_sealed = $3 where tenant_id = $1 and id = $2 and email_sealed is not distinct from $4
                and ($5::uuid is null or exists (select from sessions s where s.tenant_id = $1 and s.user_id = $2 and s.id = $5))
            """, owner.parameters + [.bytes(address), .bytes(readAgainst), .uuid(session?.uuid)])
    }

    /// Keeps the newest code only: Apple issues one with each sign-in, and revoking any token of a user ends the app's whole
    /// authorization. The grant is as old as its code: a late notice ends older grants alone.
    static func keep(_ grant: NewAppleGrant, _ subject: ProviderSubject, _ identity: IdentityID, _ owner: Owner) -> [Statement] {
        let older = Statement(
            "select forget_older_grants($1, $2, $3, $4)",
            [.uuid(owner.tenant.uuid), .text(grant.clientID), .bytes(subject.hash), .uuid(identity.uuid)])
        let newest = Statement(
            """
            insert into apple_grants (tenant_id, user_id, identity_id, client_id, subject_hash, code_sealed, code_at)
            select $1, $2, $3, $4, $5, $6, clock_timestamp() from user_sync s
            where s.tenant_id = $1 and s.user_id = $2 and s.closed_at is null
                and exists (select from identities i where i.tenant_id = $1 and i.user_id = $2 and i.id = $3)
            for share of s
            on conflict on constraint apple_grants_pk do update
                set code_sealed = excluded.code_sealed, code_at = excluded.code_at, next_attempt_at = clock_timestamp(), attempts = 0,
                    revoke_requested_at = null, created_at = clock_timestamp()
            """,
            owner.parameters + [.uuid(identity.uuid), .text(grant.clientID), .bytes(subject.hash), .bytes(grant.codeSealed)])
        return [older, newest]
    }

    /// Before any other write, so that the notice goes to the address as it was.
    static func linkedNotice(_ owner: Owner) -> Statement {
        Statement("select queue_notice($1, $2, $3)", owner.parameters + [.text(MailKind.identityLinked.rawValue)])
    }

    private static func openSession(_ signIn: ProviderSignIn) -> Statement {
        Statement(
            """
            insert into sessions (tenant_id, user_id, id, device_sealed, expires_at, idle_expires_at, refresh_number, refresh_hash, place_sealed)
            values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5), clock_timestamp() + make_interval(secs => $6), 1, $7, $8)
            """, signIn.sessionParameters)
    }

    /// Stops the transaction when it opened no session, so that the challenge is left for the next attempt. A null address belongs to no
    /// account, so `require_address` raises.
    private static func requireSession(_ signIn: ProviderSignIn) -> Statement {
        Statement(
            """
            select require_address($1, $2, null) where not exists (select from sessions where tenant_id = $1 and user_id = $2 and id = $3)
            """, signIn.owner.parameters + [.uuid(signIn.session.id.uuid)])
    }

    private static func event(_ kind: String, _ signIn: ProviderSignIn) -> Statement {
        Statement(
            "select record_event($1, $2, $4, 'member', $3, $5) from sessions where tenant_id = $1 and user_id = $2 and id = $3",
            signIn.owner.parameters + [.uuid(signIn.session.id.uuid), .text(kind), .text(signIn.origin.requestID)])
    }
}

extension ProviderSignIn {
    fileprivate var sessionParameters: [Parameter] {
        owner.parameters + [
            .uuid(session.id.uuid), .bytes(session.deviceSealed), .double(Double(session.absoluteSeconds)),
            .double(Double(session.idleSeconds)), .bytes(session.refreshHash), .bytes(session.placeSealed),
        ]
    }
}
