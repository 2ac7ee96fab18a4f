package import DiaryCore
import FoundationEssentials
import PostgresClient

extension PostgresIdentityStore {
    package func handle(_ notice: AppleNotice) async throws(DiaryError) -> Bool {
        let subject = notice.subject
        var statements = [
            Statement(
                "insert into provider_notices (tenant_id, notice_hash, expires_at) values ($1, $2, $3)",
                [.uuid(subject.tenant.uuid), .bytes(notice.hash), .timestamp(notice.expiresAt)])
        ]
        switch notice.kind {
        case .emailDisabled: statements.append(Self.mail(isStopped: true, notice))
        case .emailEnabled: statements.append(Self.mail(isStopped: false, notice))
        case .consentRevoked:
            statements += [
                Self.lockAccount(notice), Self.lockAddress(notice), Self.endLinks(notice), Self.endSessions(notice),
                Self.forgetGrants(notice),
            ]
        case .accountDeleted:
            statements += [
                Self.lockAccount(notice), Self.lockAddress(notice), Self.endLinks(notice), Self.endSessions(notice),
                Self.forgetGrants(notice), Self.forgetIdentity(notice),
            ]
        case .other: break
        }
        do throws(DatabaseError) {
            try await transaction.forClient(subject.tenant).send(statements)
            return true
        } catch {
            if error.kind == .constraint("provider_notices_pk") { return false }
            throw error.forClient
        }
    }

    private static func mail(isStopped: Bool, _ notice: AppleNotice) -> Statement {
        Statement(
            """
            update identities set mail_stopped = $4, mail_noted_at = $5
            where tenant_id = $1 and issuer = $2 and subject_hash = $3 and (mail_noted_at is null or mail_noted_at < $5)
            """, notice.subject.parameters + [.bool(isStopped), .timestamp(notice.happenedAt)])
    }

    /// The user's lock first (decision D9). Unlinking takes it too; together the two must not remove the last sign-in method.
    private static func lockAccount(_ notice: AppleNotice) -> Statement {
        Statement(
            """
            select 1 from user_sync s where s.tenant_id = $1 and s.user_id in (
                select i.user_id from identities i where i.tenant_id = $1 and i.issuer = $2 and i.subject_hash = $3)
            for update
            """, notice.subject.parameters)
    }

    /// Locked before the identity, in the same order as a change of address.
    private static func lockAddress(_ notice: AppleNotice) -> Statement {
        Statement(
            """
            select 1 from users u where u.tenant_id = $1 and u.id in (
                select i.user_id from identities i where i.tenant_id = $1 and i.issuer = $2 and i.subject_hash = $3)
            for no key update
            """, notice.subject.parameters)
    }

    /// Ends links and codes, those made since the event too: a link is asked for again at no cost.
    private static func endLinks(_ notice: AppleNotice) -> Statement {
        Statement(
            """
            select end_own_links_and_codes(i.tenant_id, i.user_id) from identities i
            where i.tenant_id = $1 and i.issuer = $2 and i.subject_hash = $3
            """, notice.subject.parameters)
    }

    /// Ends the sessions that were open at the time of the event: a notice may arrive days later, after a new sign-in. One minute of
    /// tolerance for clock skew.
    private static func endSessions(_ notice: AppleNotice) -> Statement {
        Statement(
            """
            with who as (
                select i.user_id from identities i where i.tenant_id = $1 and i.issuer = $2 and i.subject_hash = $3),
            ended as (
                update sessions s set revoked_at = clock_timestamp() from who
                where s.tenant_id = $1 and s.user_id = who.user_id and s.revoked_at is null and s.created_at <= $4::timestamptz + interval '1 minute'
                returning s.user_id)
            select record_event($1, e.user_id, 'sessions_revoked', 'provider', null, $5) from (select distinct user_id from ended) e
            """, notice.subject.parameters + [.timestamp(notice.happenedAt), .text(notice.origin.requestID)])
    }

    /// Apple has already ended these grants, so there is nothing to revoke.
    private static func forgetGrants(_ notice: AppleNotice) -> Statement {
        Statement(
            """
            delete from apple_grants g using identities i
            where i.tenant_id = $1 and i.issuer = $2 and i.subject_hash = $3
                and g.tenant_id = i.tenant_id and g.user_id = i.user_id and g.identity_id = i.id
                and g.created_at <= $4::timestamptz + interval '1 minute'
            """, notice.subject.parameters + [.timestamp(notice.happenedAt)])
    }

    /// Only if another sign-in method is left: a diary is deleted by its owner, not by a notice.
    private static func forgetIdentity(_ notice: AppleNotice) -> Statement {
        Statement(
            """
            with gone as (
                delete from identities i where i.tenant_id = $1 and i.issuer = $2 and i.subject_hash = $3
                    and exists (select from identities o where o.tenant_id = i.tenant_id and o.user_id = i.user_id and o.id <> i.id
                        and o.verified_at is not null)
                returning i.id, i.user_id, i.proves_address),
            unaddressed as (
                update users u set email_sealed = null from gone g
                where u.tenant_id = $1 and u.id = g.user_id and g.proves_address
                    and not exists (select from identities o where o.tenant_id = $1 and o.user_id = g.user_id and o.id <> g.id
                        and o.verified_at is not null and (o.issuer = 'email' or (o.proves_address and not o.mail_stopped))))
            select record_event($1, g.user_id, 'identity_unlinked', 'provider', null, $4) from gone g
            """, notice.subject.parameters + [.text(notice.origin.requestID)])
    }
}
