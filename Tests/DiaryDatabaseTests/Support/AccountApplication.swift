import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import PostgresClient

@testable import DiaryDatabase

/// The use cases of accounts on the real stores, with a counting hasher and a limiter that a test can close.
struct AccountApplication: Sendable {
    let database: MigratedDatabase
    let tenant: Tenant
    let keys: DataKeys
    let features: DiaryFeatures
    let accounts: PostgresSignInStore
    let credentials: PostgresCredentialStore
    let sessions: PostgresSessionStore
    let serviceKeys: ServiceKeys
    let hasher: CountingHasher
    let limiter: ClosableLimiter
    let origin = RequestOrigin(requestID: "request-1", place: "203.0.0.0/16")

    static func make() async throws -> AccountApplication {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let tenant = Tenant(
            id: person.owner.tenant, slug: "walks", name: "Walks", mailFromName: "Walks", mailFromAddress: "walks@example.org",
            createdAt: .now, suspendedAt: nil)
        let keys = DataKeys(
            store: PostgresKeyStore(pool: try database.keyPool(.auth)),
            ring: try MasterKeyRing(current: "m1", keys: ["m1": SecretBytes([UInt8](repeating: 6, count: 32))]))
        let serviceKeys = ServiceKeys(secret: SecretBytes([UInt8](repeating: 5, count: 32)))
        let (hasher, limiter) = (CountingHasher(), ClosableLimiter())
        let ports = AppPorts(
            database: database, tenant: tenant, keys: keys, serviceKeys: serviceKeys, hasher: hasher, limiter: limiter)
        return AccountApplication(
            database: database, tenant: tenant, keys: keys, features: try ports.features(),
            accounts: PostgresSignInStore(pool: try database.pool(.auth)),
            credentials: PostgresCredentialStore(pool: try database.pool(.auth)),
            sessions: PostgresSessionStore(pool: try database.pool(.api)), serviceKeys: serviceKeys, hasher: hasher, limiter: limiter)
    }

    var register: RegisterByEmail { features.signIn.register }
    var requestCode: RequestCode { features.signIn.requestCode }
    var byPassword: SignInByPassword { features.signIn.byPassword }
    var byCode: SignInByCode { features.signIn.byCode }
    var reset: ResetPassword { features.signIn.resetPassword }
    var rotate: RotateSession { features.signIn.rotate }
    var changePassword: ChangePassword { features.account.changePassword }
    var changeAddress: ChangeAddress { features.account.changeAddress }
    var reauthenticate: Reauthenticate { features.account.reauthenticate }

    static func address() throws -> MailAddress {
        guard let address = MailAddress("p\(UUIDv7.make().uuidString.lowercased())@example.org") else { throw NotWhatWasExpected() }
        return address
    }

    /// A user who signed up and proved the address.
    func member(_ email: MailAddress, password: String = "right") async throws -> (member: Member, tokens: SessionTokens) {
        let form = RegisterByEmail.Form(email: email, password: password, name: "Ada", timeZone: nil, locale: nil)
        let registration = try await register.run(form, from: origin, in: tenant)
        guard let code = try await mails(email).last?.code else { throw NotWhatWasExpected() }
        let tokens = try await features.signIn.verify.run(
            email, code: code, registration: registration, device: "Ada's phone", from: origin, in: tenant)
        return (Member(tenant: tenant.id, user: tokens.user, session: tokens.session), tokens)
    }

    func owner(_ email: MailAddress) async throws -> Owner? {
        try await accounts.emailIdentity(serviceKeys.addressHash(email.normalised, tenant: tenant.id), tenant: tenant.id)?.owner
    }

    /// The waiting mails to the account of this address, oldest first, opened.
    func mails(_ email: MailAddress) async throws -> [(kind: String, to: String, code: String?)] {
        guard let owner = try await owner(email) else { return [] }
        return try await mails(of: owner)
    }

    func mails(of owner: Owner) async throws -> [(kind: String, to: String, code: String?)] {
        let vault = try await keys.vault(of: owner)
        let rows = try await database.superuser.run([
            Statement(
                """
                select id, kind, payload, address_sealed from mails where tenant_id = $1 and user_id = $2 and status = 'waiting'
                order by created_at, id
                """,
                owner.parameters)
        ])
        return try rows[0].map { row in
            if let sealed = try row.bytesOrNil(3) {
                return (try row.text(1), String(decoding: try vault.open(sealed, .email, row: owner.user.uuid), as: UTF8.self), nil)
            }
            let payload = try vault.open(MailPayload.self, try row.bytes(2), as: .payload, row: try row.uuid(0))
            return (try row.text(1), payload.to, payload.code)
        }
    }

    func events(_ owner: Owner) async throws -> [String] {
        let rows = try await database.superuser.run([
            Statement(
                "select kind || ' ' || actor from audit_events where tenant_id = $1 and user_id = $2 order by at, id", owner.parameters)
        ])
        return try rows[0].map { try $0.text(0) }
    }

    func lives(_ session: SessionID) async throws -> Bool {
        try await database.text("select (revoked_at is null)::text from sessions where id = $1", .uuid(session.uuid)) == "true"
    }

    /// Ages a session by that many seconds.
    func pass(_ seconds: Double, for session: SessionID) async throws {
        try await database.change(
            """
            update sessions set created_at = created_at - make_interval(secs => $2), last_used_at = last_used_at - make_interval(secs => $2),
                rotated_at = rotated_at - make_interval(secs => $2), proved_at = proved_at - make_interval(secs => $2),
                grace_used_at = grace_used_at - make_interval(secs => $2), expires_at = expires_at - make_interval(secs => $2),
                idle_expires_at = idle_expires_at - make_interval(secs => $2)
            where id = $1
            """, .uuid(session.uuid), .double(seconds))
    }
}
