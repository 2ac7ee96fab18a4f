import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Reports of mail providers, stored", .timeLimit(.minutes(1)))
struct MailEventStoreTests {
    let fixture: WorkerFixture
    let events: PostgresMailEventStore
    let profiles: PostgresProfileStore
    let administration: PostgresMailAdministration
    let hash = SecureRandom.bytes(32)

    init() async throws {
        fixture = try await WorkerFixture.make()
        events = PostgresMailEventStore(pool: try fixture.database.pool(.auth))
        profiles = PostgresProfileStore(pool: try fixture.database.pool(.api))
        administration = PostgresMailAdministration(pool: try fixture.database.pool(.admin))
    }

    /// The mail of an export, sent.
    private func sent() async throws -> (mail: MailID, export: UUID) {
        try await fixture.ready(.mail)
        let job = try await fixture.claim(.mail)
        let mail = try await fixture.mails.beginMail(job)
        #expect(mail.accountSealed == Array("sealed".utf8))
        let prepared = try await fixture.mails.prepareMail(job, addressHash: hash, isAccountAddress: true, locales: ["de-AT", "de", "en"])
        #expect(prepared == PreparedMail())
        _ = try await fixture.mails.finishMail(job)
        return (mail.id, try #require(mail.subject))
    }

    private func note(
        _ id: String, _ reason: MailBounceReason, _ mail: MailID, of app: TenantID? = nil, at: Date = Date()
    ) async throws -> Int {
        try await events.note(
            HashedMailEvents(
                events: [(Array(id.utf8), MailEvent(id: id, mail: mail, reason: reason, at: at))], provider: .ses, app: app,
                requestID: "r"))
    }

    private func status() async throws -> EmailStatus? { try await profiles.profile(of: fixture.person.member).emailStatus }

    private func kinds() async throws -> [String] {
        try await fixture.database.superuser.run([
            Statement(
                "select kind from audit_events where user_id = $1 and kind like 'mail%' order by at",
                [.uuid(fixture.person.owner.user.uuid)])
        ])[0].map { try $0.text(0) }
    }

    @Test("a bounce counts once: the address, the export's mail, the profile with its version, and one event")
    func once() async throws {
        let (mail, export) = try await sent()
        let before = try await profiles.profile(of: fixture.person.member)

        #expect(try await note("e1", .hardBounce, mail) == 1)
        #expect(try await note("e1", .hardBounce, mail) == 0)
        #expect(try await note("e2", .hardBounce, mail) == 1)

        let after = try await profiles.profile(of: fixture.person.member)
        #expect(before.emailStatus == .ok && after.emailStatus == .suppressed && before.version != after.version)
        let shown = try await fixture.database.text("select mail_status || ' ' || code from exports where id = $1", .uuid(export))
        #expect(shown == "failed address_suppressed")
        #expect(try await kinds() == ["mail_bounced"])
        let stored = try await administration.suppressions(of: try await slug(), limit: 9)
        #expect(stored.map(\.reason) == [.hardBounce] && stored.first?.id == String(hex(hash).prefix(12)))
    }

    @Test("a soft bounce holds nothing back; what weighs less than what is known changes nothing")
    func weights() async throws {
        let (mail, export) = try await sent()

        _ = try await note("e1", .softBounce, mail)
        #expect(try await status() == .bouncing)
        #expect(try await fixture.database.text("select mail_status from exports where id = $1", .uuid(export)) == "sent")
        _ = try await note("e2", .complaint, mail)
        #expect(try await status() == .complained)
        _ = try await note("e3", .softBounce, mail)
        #expect(try await status() == .complained)
        for (id, reason) in [("e4", MailBounceReason.hardBounce), ("e5", .softBounce), ("e6", .complaint), ("e7", .block)] {
            #expect(try await note(id, reason, mail) == 1)
        }
        #expect(try await status() == .suppressed, "codes are held back, which a complaint does not do")
        #expect(try await kinds() == ["mail_complained", "mail_bounced", "mail_complained"])
    }

    @Test("a report of another app's mail, of an unknown one, or of one that was not handed over changes nothing")
    func others() async throws {
        let (mail, _) = try await sent()
        let other = try await Person.make(in: fixture.database)

        #expect(try await note("e1", .hardBounce, mail, of: other.owner.tenant) == 0)
        #expect(try await note("e1", .hardBounce, MailID(UUID())) == 0)
        #expect(try await status() == .ok)
        #expect(try await note("e1", .hardBounce, mail, of: fixture.person.owner.tenant) == 1)
    }

    @Test("the next mail to the address is told why, that of another address and of another app are not")
    func prepared() async throws {
        let (mail, _) = try await sent()
        _ = try await note("e1", .block, mail)
        try await fixture.ready(.mail)
        let job = try await fixture.claim(.mail)

        #expect(try await fixture.mails.prepareMail(job, addressHash: hash, isAccountAddress: true, locales: ["en"]).bounce == .block)
        let elsewhere = try await fixture.mails.prepareMail(
            job, addressHash: SecureRandom.bytes(32), isAccountAddress: false, locales: ["en"])
        #expect(elsewhere.bounce == nil)
        #expect(try await status() == .suppressed, "a mail to another address says nothing of the account's")
    }

    @Test("the app's words come in the first language that has some")
    func words() async throws {
        let tenant = fixture.person.owner.tenant
        try await fixture.ready(.mail)
        let job = try await fixture.claim(.mail)
        func found() async throws -> MailWords? {
            try await fixture.mails.prepareMail(job, addressHash: hash, isAccountAddress: true, locales: ["de-AT", "de", "en"]).words
        }

        try await administration.set(MailWords(locale: "en", text: "Subject: E", html: nil), .exportReady, of: tenant, by: "op")
        try await administration.set(MailWords(locale: "de", text: nil, html: "<p>"), .signInCode, of: tenant, by: "op")
        #expect(try await found() == MailWords(locale: "en", text: "Subject: E", html: nil))
        try await administration.set(MailWords(locale: "de", text: "Subject: D", html: nil), .exportReady, of: tenant, by: "op")
        try await administration.set(MailWords(locale: "de", text: nil, html: "<p>x</p>"), .exportReady, of: tenant, by: "op")
        #expect(try await found() == MailWords(locale: "de", text: "Subject: D", html: "<p>x</p>"))
        #expect(try await administration.words(of: try await slug()).count == 3)
        #expect(try await administration.unset("export_ready", "de", of: tenant, by: "op"))
        #expect(try await !administration.unset("export_ready", "de", of: tenant, by: "op"))
        #expect(try await found()?.locale == "en")
    }

    @Test("a report of a mail from before its address was proved tells of the mail alone")
    func late() async throws {
        let (mail, export) = try await sent()
        let owner = fixture.person.owner
        let before = Date().addingTimeInterval(-600)
        _ = try await fixture.database.superuser.run([
            Statement(
                "update identities set subject_hash = $3, verified_at = now() where tenant_id = $1 and user_id = $2",
                owner.parameters + [.bytes(hash)])
        ])

        #expect(try await note("e1", .hardBounce, mail, at: before) == 1)
        #expect(try await status() == .ok)
        #expect(try await kinds() == [])
        #expect(try await fixture.database.text("select mail_status from exports where id = $1", .uuid(export)) == "failed")
        _ = try await note("e2", .hardBounce, mail)
        #expect(try await status() == .suppressed)
    }

    @Test("an operator, a proved address and a member's own code each lift it; a change of address forgets it")
    func lifted() async throws {
        let (mail, _) = try await sent()
        let owner = fixture.person.owner
        _ = try await note("e1", .hardBounce, mail)
        #expect(try await administration.lift(hash, of: owner.tenant, by: "op"))
        #expect(try await !administration.lift(hash, of: owner.tenant, by: "op"))
        #expect(try await status() == .ok)
        #expect(try await note("e1", .hardBounce, mail) == 0, "the old report does not come back")

        _ = try await note("e2", .hardBounce, mail)
        _ = try await fixture.database.superuser.run([
            Statement(
                "update identities set subject_hash = $3, verified_at = now() where tenant_id = $1 and user_id = $2",
                owner.parameters + [.bytes(hash)])
        ])
        #expect(try await status() == .ok)

        _ = try await note("e3", .complaint, mail)
        _ = try await fixture.database.pool(.auth).run([
            Statement("select set_owner($1, $2)", owner.parameters), Statement("select lift_own_address($1, $2)", owner.parameters),
        ])
        #expect(try await status() == .ok)

        _ = try await note("e4", .hardBounce, mail)
        _ = try await fixture.database.superuser.run([
            Statement("update users set email_sealed = 'another' where tenant_id = $1 and id = $2", owner.parameters)
        ])
        #expect(try await status() == .ok)
    }

    @Test("old reports are swept, and what is known of addresses after 400 days")
    func swept() async throws {
        let (mail, _) = try await sent()
        _ = try await note("e1", .hardBounce, mail)
        let sweep = PostgresSweepStore(pool: try fixture.database.pool(.worker))
        for rows in [RowSweep.mailEvents, .mailBounces] { _ = try await sweep.end(rows, most: 10) }
        #expect(try await status() == .suppressed)

        _ = try await fixture.database.superuser.run([
            Statement("update mail_events set expires_at = now() - interval '1 second'"),
            Statement("update mail_bounces set noted_at = now() - interval '401 days'"),
        ])
        for rows in [RowSweep.mailEvents, .mailBounces] { _ = try await sweep.end(rows, most: 10) }
        let left = try await fixture.database.text(
            "select ((select count(*) from mail_events) + (select count(*) from mail_bounces))::text")
        #expect(left == "0")
    }

    @Test("no role but the owner reads the tables, and no account's function answers for another")
    func closed() async throws {
        let other = try await Person.make(in: fixture.database, tenant: fixture.person.owner.tenant)
        for role in [MigratedDatabase.Role.api, .auth, .worker, .admin] {
            for statement: Statement in [
                Statement("select 1 from mail_bounces"), Statement("select 1 from mail_events"), Statement("select 1 from mail_templates"),
            ] {
                await #expect(throws: DatabaseError.self) { try await fixture.database.pool(role).run([statement]) }
            }
        }
        let (mail, _) = try await sent()
        _ = try await note("e1", .hardBounce, mail)
        let seen = try await fixture.database.pool(.api).run([
            Statement("select set_owner($1, $2)", other.owner.parameters),
            Statement("select email_status($1, $2)", fixture.person.owner.parameters),
        ])
        #expect(try seen[1].first?.textOrNil(0) == nil)
    }

    private func slug() async throws -> String {
        try #require(try await fixture.database.text("select slug from tenants where id = $1", .uuid(fixture.person.owner.tenant.uuid)))
    }

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
