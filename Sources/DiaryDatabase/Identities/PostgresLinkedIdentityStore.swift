package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// The sign-in methods of a member's own account, by the database role `diary_api`.
package struct PostgresLinkedIdentityStore: LinkedIdentityStore {
    let transaction: MemberTransaction

    package func identities(of member: Member) async throws(DiaryError) -> [LinkedIdentity] {
        try await transaction.of(member).all(
            """
            select i.id, i.issuer, i.verified_at is not null, i.password_phc is not null,
                i.proves_address or (i.issuer = 'email' and i.verified_at is not null), i.mail_stopped, i.created_at,
                case i.issuer when 'email' then u.email_sealed else i.address_sealed end
            from identities i join users u on u.tenant_id = i.tenant_id and u.id = i.user_id
            where i.tenant_id = $1 and i.user_id = $2 order by i.created_at, i.id
            """, member.owner.parameters
        ) { row in
            let id = IdentityID(try row.uuid())
            let issuer: IdentityIssuer = try row.known()
            return LinkedIdentity(
                id: id, provider: issuer.provider, isVerified: try row.bool(), hasPassword: try row.bool(),
                provesAddress: try row.bool(), isMailStopped: try row.bool(), linkedAt: try row.date(),
                addressSealed: try row.bytesOrNil())
        }
    }

    package func unlink(_ id: IdentityID, of member: Member, origin: RequestOrigin) async throws(DiaryError) -> UnlinkOutcome {
        let named = member.owner.parameters + [.uuid(id.uuid)]
        let rows = try await transaction.run(
            member,
            [
                // The user's lock: two requests that unlink at once must not both count on the other's sign-in method.
                Statement("select 1 from user_sync where tenant_id = $1 and user_id = $2 for update", member.owner.parameters),
                // Locked before the identity, in the same order as a change of password or address.
                CodeStatements.lock(member.owner),
                // While the account still has the address.
                Statement(
                    """
                    select queue_notice($1, $2, $4) where exists (select from identities where tenant_id = $1 and user_id = $2 and id = $3)
                        and exists (select from identities where tenant_id = $1 and user_id = $2 and id <> $3 and verified_at is not null)
                    """, named + [.text(MailKind.identityUnlinked.rawValue)]),
                Statement(
                    """
                    with gone as (
                        delete from identities i where i.tenant_id = $1 and i.user_id = $2 and i.id = $3
                            and exists (select from identities o where o.tenant_id = $1 and o.user_id = $2 and o.id <> $3
                                and o.verified_at is not null)
                        returning i.issuer, i.proves_address),
                    unaddressed as (
                        update users u set email_sealed = null from gone g
                        where u.tenant_id = $1 and u.id = $2 and (g.issuer = 'email' or g.proves_address)
                            and not exists (select from identities o where o.tenant_id = $1 and o.user_id = $2 and o.id <> $3
                                and o.verified_at is not null and (o.issuer = 'email' or (o.proves_address and not o.mail_stopped))))
                    select record_event($1, $2, 'identity_unlinked', 'member', $4, $5) from gone
                    """, named + [.uuid(member.session.uuid), .text(origin.requestID)]),
                Statement("select 1 from identities where tenant_id = $1 and user_id = $2 and id = $3", named),
                Statement(
                    """
                    select request_apple_revocation($1, $2, $3)
                    where not exists (select from identities where tenant_id = $1 and user_id = $2 and id = $3)
                    """, named),
                .freshProof(of: member),
            ])
        if rows.first(3) != nil { return .unlinked }
        return rows.first(4) == nil ? .missing : .last
    }
}

extension PostgresLinkedIdentityStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}

/// What `identities.issuer` holds.
enum IdentityIssuer: String, CaseIterable {
    case email, apple, google

    var provider: IdentityProvider? {
        switch self {
        case .email: nil
        case .apple: .apple
        case .google: .google
        }
    }
}

extension IdentityIssuer: StoredEnumeration { static let storedNames = StoredNames<IdentityIssuer>() }
