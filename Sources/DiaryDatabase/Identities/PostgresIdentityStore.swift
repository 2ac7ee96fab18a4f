package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Sign-in by a provider, by the database role `diary_auth`. Every writing pipeline first uses the challenge up: of many requests with the
/// same one, a single one succeeds, in whichever process.
package struct PostgresIdentityStore: IdentityStore {
    let transaction: OwnerTransaction
    let members: MemberTransaction

    package func issueChallenge(_ hash: [UInt8], tenant: TenantID, lifetimeSeconds: Int) async throws(DiaryError) {
        try await transaction.forClient(tenant).run(
            """
            insert into sign_in_challenges (tenant_id, nonce_hash, expires_at)
            values ($1, $2, clock_timestamp() + make_interval(secs => $3))
            """, [.uuid(tenant.uuid), .bytes(hash), .double(Double(lifetimeSeconds))])
    }

    package func find(
        _ subject: ProviderSubject, addressHash: [UInt8]?, challengeHash: [UInt8]
    ) async throws(DiaryError) -> IdentityLookup {
        try await transaction.forClient(subject.tenant).run([
            Statement(
                """
                select i.id, i.user_id, may_sign_in(i.tenant_id, i.user_id), i.address_sealed, i.proves_address, u.email_sealed,
                    \(Self.provedWithout("i.id"))
                from identities i join users u on u.tenant_id = i.tenant_id and u.id = i.user_id
                where i.tenant_id = $1 and i.issuer = $2 and i.subject_hash = $3
                """, subject.parameters),
            Statement(
                """
                select i.user_id, i.verified_at is not null, may_sign_in(i.tenant_id, i.user_id) from identities i
                where i.tenant_id = $1 and i.issuer = 'email' and i.subject_hash = $2
                """, [.uuid(subject.tenant.uuid), .bytes(addressHash)]),
            Statement(
                "select 1 from sign_in_challenges where tenant_id = $1 and nonce_hash = $2 and expires_at > clock_timestamp()",
                [.uuid(subject.tenant.uuid), .bytes(challengeHash)]),
        ]) { rows in
            IdentityLookup(
                known: try rows.one(0) { row in
                    KnownIdentity(
                        id: IdentityID(try row.uuid()), owner: Owner(tenant: subject.tenant, user: UserID(try row.uuid())),
                        isClosed: try !row.bool(), addressSealed: try row.bytesOrNil(), provesAddress: try row.bool(),
                        account: AccountAddress(sealed: try row.bytesOrNil(), isProvedOtherwise: try row.bool()))
                },
                holder: try rows.one(1) { row in
                    AddressHolder(
                        owner: Owner(tenant: subject.tenant, user: UserID(try row.uuid())), isVerified: try row.bool(),
                        isClosed: try !row.bool())
                },
                challengeLives: rows.first(2) != nil)
        }
    }

    package func address(of member: Member) async throws(DiaryError) -> AccountAddress {
        try await members.of(member).run([
            Statement(
                "select u.email_sealed, address_is_proved($1, $2) from users u where u.tenant_id = $1 and u.id = $2 and u.deleted_at is null",
                member.owner.parameters),
            .freshProof(of: member),
        ]) { rows in
            guard var row = rows.first(0) else { throw DiaryError.unauthorized }
            return AccountAddress(sealed: try row.bytesOrNil(), isProvedOtherwise: try row.bool())
        }
    }

    package func link(_ link: IdentityLink, to member: Member) async throws(DiaryError) -> Bool {
        let owner = member.owner
        var statements = [Self.takeChallenge(link.challengeHash, owner.tenant), Self.lockUser(owner), Self.linkedNotice(owner)]
        statements.append(CodeStatements.lock(owner))
        if let address = link.accountAddressSealed { statements.append(Self.readdress(owner, address, readAgainst: link.readAgainst)) }
        statements.append(Self.insert(link.identity, link.subject, owner))
        statements.append(
            Statement(
                """
                update identities set proves_address = false where tenant_id = $1 and user_id = $2 and id = $3 and proves_address
                    and not exists (select from users u where u.tenant_id = $1 and u.id = $2 and u.email_sealed is not distinct from $4)
                """, owner.parameters + [.uuid(link.identity.id.uuid), .bytes(link.accountAddressSealed ?? link.readAgainst)]))
        if let grant = link.grant { statements += Self.keep(grant, link.subject, link.identity.id, owner) }
        statements.append(
            Statement(
                "select record_event($1, $2, 'identity_linked', 'member', $3, $4)",
                owner.parameters + [.uuid(member.session.uuid), .text(link.origin.requestID)]))
        if let claim = link.claim { statements.append(claim.statement(of: owner)) }
        do throws(DatabaseError) {
            try await members.of(member).send(statements)
            return true
        } catch {
            if error.kind == .constraint("identities_pk") { return false }
            throw error.forClient
        }
    }

    /// Whether an identity other than `i` proves the account's address.
    private static func provedWithout(_ id: String) -> String {
        """
        exists (select from identities o where o.tenant_id = i.tenant_id and o.user_id = i.user_id and o.id <> \(id) and o.verified_at is not null
            and (o.issuer = 'email' or (o.proves_address and not o.mail_stopped)))
        """
    }
}

extension PostgresIdentityStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool), members: MemberTransaction(pool: pool)) }
}

extension ProviderSubject {
    var parameters: [Parameter] { [.uuid(tenant.uuid), .text(provider.rawValue), .bytes(hash)] }
}
