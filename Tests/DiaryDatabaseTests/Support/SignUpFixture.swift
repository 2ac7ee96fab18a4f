import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// The account store, a tenant, and the parts of sign-ups.
struct SignUpFixture {
    let database: MigratedDatabase
    let store: PostgresSignInStore
    /// Sign-ups use only its tenant.
    let otherAccount: Person

    static func make(in database: MigratedDatabase? = nil) async throws -> SignUpFixture {
        let database = if let database { database } else { try await MigratedDatabase.shared() }
        return SignUpFixture(
            database: database, store: PostgresSignInStore(pool: try database.pool(.auth)),
            otherAccount: try await Person.make(in: database))
    }

    func account(hash: [UInt8] = SecureRandom.bytes(32), zone: String = "UTC") -> NewAccount {
        NewAccount(
            owner: Owner(tenant: otherAccount.owner.tenant, user: UserID(UUIDv7.make())), keyID: UUID(), emailHash: hash, emailSealed: [1],
            signUp: SignUp(passwordPHC: "phc-of-code", timeZone: zone, locale: "de"))
    }

    func code(
        _ hash: [UInt8] = SecureRandom.bytes(32), registration: [UInt8] = [9], lifetime: Int = 1_800, requester: [UInt8] = [1]
    ) -> NewCode {
        NewCode(id: UUIDv7.make(), hash: hash, registrationHash: registration, lifetimeSeconds: lifetime, requesterHash: requester)
    }

    func session() -> NewSession {
        NewSession(
            id: SessionID(UUIDv7.make()), deviceSealed: nil, refreshHash: SecureRandom.bytes(32), idleSeconds: 100,
            absoluteSeconds: 1_000)
    }

    /// Signed up; the code is in the mail.
    func signedUp(codeHash: [UInt8] = [1, 2, 3], lifetime: Int = 1_800) async throws -> NewAccount {
        let account = account()
        let made = try await store.register(
            account, code: code(codeHash, lifetime: lifetime), mail: otherAccount.mail())
        #expect(made)
        return account
    }

    func phc(_ owner: Owner) async throws -> String? {
        try await database.text("select password_phc from identities where user_id = $1", .uuid(owner.user.uuid))
    }

    func sessions(_ owner: Owner) async throws -> Int64 {
        try await database.int("select count(*) from sessions where user_id = $1", .uuid(owner.user.uuid))
    }
}
