import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("API tokens in the database", .timeLimit(.minutes(2)))
struct APITokenStoreTests {
    private struct Scene {
        let application: AccountApplication
        let member: Member
        let feature: APITokenFeature

        static func make() async throws -> Scene {
            let application = try await AccountApplication.make()
            let (member, _) = try await application.member(try AccountApplication.address())
            return Scene(application: application, member: member, feature: application.features.apiTokens)
        }

        /// A new token's holder.
        func holder(_ name: String = "iPhone") async throws -> Member {
            let made = try await feature.create.run(name, [.entriesRead, .exports], days: 30, by: member, from: application.origin)
            let token = try #require(APIToken(parsing: made.text, key: application.serviceKeys.apiTokens))
            #expect(token.id == made.view.id && token.owner == member.owner)
            return Member(token)
        }

        func lives(_ holder: Member) async -> Bool { (try? await feature.list(of: holder)) != nil }
    }

    @Test("a token is listed by name, and works until it is revoked; others' and altered ones never do")
    func life() async throws {
        let scene = try await Scene.make()
        let other = try await Scene.make()
        let (first, second) = (try await scene.holder(), try await scene.holder("script"))

        let listed = try await scene.feature.list(of: scene.member)
        #expect(listed.map(\.name) == ["script", "iPhone"])
        #expect(listed.allSatisfy { $0.scopes == [.entriesRead, .exports] && $0.lastUsedAt == nil })
        #expect(await scene.lives(first))
        let foreign = Member(tenant: first.tenant, user: other.member.user, session: first.session, tokenHash: first.tokenHash)
        let altered = Member(tenant: first.tenant, user: first.user, session: first.session, tokenHash: second.tokenHash)
        let asSession = Member(tenant: first.tenant, user: first.user, session: first.session)
        for member in [foreign, altered, asSession] { #expect(await !scene.lives(member)) }

        let refused = await refusal { () throws(DiaryError) in
            try await other.feature.revoke(APITokenID(first.session.uuid), by: other.member, from: other.application.origin)
        }
        #expect(refused?.code == .notFound)
        try await scene.feature.revoke(APITokenID(first.session.uuid), by: scene.member, from: scene.application.origin)

        #expect(await !scene.lives(first))
        #expect(await scene.lives(second))
        #expect(
            try await scene.application.events(scene.member.owner).suffix(3) == [
                "token_created member", "token_created member", "token_revoked member",
            ])
    }

    @Test("a token ends with its time, and when its account is disabled; an ended one stays in the list for a month")
    func ends() async throws {
        let scene = try await Scene.make()
        let database = scene.application.database
        let (old, kept) = (try await scene.holder(), try await scene.holder())
        try await database.change("update api_tokens set expires_at = now() where id = $1", .uuid(old.session.uuid))

        #expect(await !scene.lives(old))
        #expect(try await scene.feature.list(of: scene.member).count == 2)
        try await database.change(
            "update api_tokens set expires_at = now() - interval '31 days' where id = $1", .uuid(old.session.uuid))
        _ = try await database.int("select sweep_api_tokens(1000)")
        #expect(try await scene.feature.list(of: scene.member).map(\.id) == [APITokenID(kept.session.uuid)])

        let users = PostgresUserAdministration(pool: try database.pool(.admin))
        #expect(try await users.setDisabled(scene.member.owner, true, by: "anna"))
        #expect(await !scene.lives(kept))
        #expect(try await users.setDisabled(scene.member.owner, false, by: "anna"))
        #expect(await !scene.lives(kept))
    }

    @Test("a token is made after a fresh proof only, and no more of them than there may be")
    func refused() async throws {
        let scene = try await Scene.make()
        let store = PostgresAPITokenStore(pool: try scene.application.database.pool(.api))
        let keyID = try await scene.application.keys.vault(of: scene.member.owner).key.id
        func create() async throws(DiaryError) -> StoredAPIToken? {
            let token = NewAPIToken(
                id: APITokenID(UUID()), hash: SecureRandom.bytes(32), nameSealed: [1], keyID: keyID, scopes: [.all], days: 1)
            return try await store.create(token, most: 2, by: scene.member, requestID: nil)
        }

        for _ in 0..<2 { #expect(try await create() != nil) }
        #expect(try await create() == nil)
        try await scene.application.pass(601, for: scene.member.session)

        #expect(await refusal { () throws(DiaryError) in try await create() }?.code == .reauthenticationRequired)
    }

    @Test("a new password ends the tokens where that is asked, and else leaves them", arguments: [true, false])
    func password(endingTokens: Bool) async throws {
        let scene = try await Scene.make()
        let holder = try await scene.holder()

        _ = try await scene.application.changePassword.run(
            from: "right", to: "next", device: nil, endingTokens: endingTokens, by: scene.member, from: scene.application.origin)

        #expect(await scene.lives(holder) == !endingTokens)
    }

    @Test("the use of a token is written, its name is sealed, and an operator sees and revokes tokens without names")
    func administered() async throws {
        let scene = try await Scene.make()
        let database = scene.application.database
        let holder = try await scene.holder("Anna's watch")
        let store = PostgresAPITokenStore(pool: try database.pool(.api))
        let users = PostgresUserAdministration(pool: try database.pool(.admin))

        try await store.noteUse(by: holder)
        let tokens = try await users.tokens(of: scene.member.owner)

        #expect(tokens.map(\.id.uuid) == [holder.session.uuid])
        #expect(tokens.first?.lastUsedAt != nil && tokens.first?.scopes == ["entries:read", "exports"])
        let row = try await database.text("select t::text from api_tokens t where id = $1", .uuid(holder.session.uuid))
        #expect(row?.contains("watch") == false)
        #expect(try await users.revokeTokens(scene.member.owner, APITokenID(UUID()), by: "anna") == 0)
        #expect(try await users.revokeTokens(scene.member.owner, nil, by: "anna") == 1)
        #expect(await !scene.lives(holder))
        #expect(try await scene.application.events(scene.member.owner).last == "token_revoked admin")
    }

    @Test("an operator makes an account of an address that has none, with its password")
    func made() async throws {
        let application = try await AccountApplication.make()
        let users = PostgresUserAdministration(pool: try application.database.pool(.admin))
        let address = try AccountApplication.address()
        func account(_ zone: String = "Europe/Berlin") async throws -> AdministeredAccount {
            let owner = Owner(tenant: application.tenant.id, user: UserID(UUIDv7.make()))
            let vault = Vault(key: try await application.keys.make(for: owner), owner: owner)
            return AdministeredAccount(
                owner: owner, keyID: vault.key.id,
                addressHash: application.serviceKeys.addressHash(address.normalised, tenant: owner.tenant),
                addressSealed: try vault.seal(Array(address.text.utf8), .email, row: owner.user.uuid), nameSealed: nil,
                passwordPHC: "new:given", timeZone: zone)
        }

        let unknown = try await account("Mars/One")
        #expect(
            await refusal { () throws(DiaryError) in try await users.create(unknown, by: "anna") }?.code == .invalidFields)
        let first = try await account()
        #expect(try await users.create(first, by: "anna"))
        #expect(try await !users.create(try await account(), by: "anna"))

        let known = try #require(try await application.accounts.emailIdentity(first.addressHash, tenant: application.tenant.id))
        #expect(known.owner == first.owner && known.verified && known.passwordPHC == "new:given")
        #expect(try await application.events(first.owner) == ["registered admin"])
    }
}
