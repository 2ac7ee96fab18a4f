import DiaryCrypto
import DiaryTesting
import Foundation
import TestDatabases
import Testing

@testable import DiaryCore
@testable import DiaryDatabase
@testable import PostgresClient

/// What an account's earlier state handed out ends with it, in the transaction of the change.
@Suite("Links and codes of an earlier state", .timeLimit(.minutes(2)))
struct EndedLinksTests {
    /// A member with a finished export whose mail waits, one that is being built, a requested code, and a notice.
    private struct Scene {
        let application: AccountApplication
        let email: MailAddress
        let member: Member
        let exports: PostgresExportStore
        let ready = ExportID(UUID())
        let building = ExportID(UUID())
        let users: PostgresUserAdministration

        static func make() async throws -> Scene {
            let application = try await AccountApplication.make()
            let email = try AccountApplication.address()
            let scene = Scene(
                application: application, email: email, member: try await application.member(email).member,
                exports: PostgresExportStore(pool: try application.database.pool(.api)),
                users: PostgresUserAdministration(pool: try application.database.pool(.admin)))
            let named = scene.member.owner.parameters
            _ = try await application.database.superuser.run([
                // Of the sign-up.
                Statement("update mails set status = 'sent', payload = '' where tenant_id = $1 and user_id = $2", named),
                Statement(
                    """
                    insert into exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, status, ready_at, expires_at,
                        max_downloads, request_hash)
                    select $1, $2, made.id, '2026-01-01', '2026-12-31', 'UTC', true, made.status,
                        clock_timestamp(), clock_timestamp() + interval '1 hour', 5, ''
                    from (values ($3::uuid, 'ready'), ($4::uuid, 'building')) made (id, status)
                    """, named + [.uuid(scene.ready.uuid), .uuid(scene.building.uuid)]),
                Statement(
                    """
                    insert into mails (tenant_id, user_id, id, kind, address_sealed, key_id, subject)
                    select u.tenant_id, u.id, gen_random_uuid(), made.kind, u.email_sealed, u.id, made.subject
                    from users u, (values ('export_ready', $3::uuid), ('session_reused', null)) made (kind, subject)
                    where u.tenant_id = $1 and u.id = $2
                    """, named + [.uuid(scene.ready.uuid)]),
            ])
            _ = try await application.requestCode.run(.login, email, from: application.origin, in: application.tenant)
            return scene
        }

        func waiting() async throws -> [String] {
            try await application.database.superuser.run([
                Statement(
                    "select kind from mails where tenant_id = $1 and user_id = $2 and status = 'waiting' order by kind",
                    member.owner.parameters
                )
            ])[0].map { try $0.text(0) }
        }

        func openCodes() async throws -> Int64 {
            try await application.database.int(
                "select count(*) from email_codes where user_id = $1 and used_at is null", .uuid(member.user.uuid))
        }

        func linkGeneration() async throws -> Int64 {
            try await application.database.int("select link_generation from users where id = $1", .uuid(member.user.uuid))
        }

        func live(_ export: ExportID) async throws -> Bool {
            try await application.database.text("select (revoked_at is null)::text from exports where id = $1", .uuid(export.uuid))
                == "true"
        }

        func changeAddress() async throws {
            let request = try await application.changeAddress.request(try AccountApplication.address(), by: member).value
            let mail = try #require(try await application.mails(of: member.owner).last { $0.kind == "address_code" })
            try await application.changeAddress.confirm(
                code: try #require(mail.code), request: request, by: member, from: application.origin)
        }

        func reset() async throws {
            let request = try await application.requestCode.run(.reset, email, from: application.origin, in: application.tenant)
            let mail = try #require(try await application.mails(of: member.owner).last { $0.kind == "reset_code" })
            _ = try await application.reset.run(
                email, code: try #require(mail.code), request: request, password: "next", device: SignInDevice(), from: application.origin,
                in: application.tenant)
        }

        func changePassword() async throws {
            _ = try await application.changePassword.run(from: "right", to: "next", device: nil, by: member, from: application.origin)
        }

        /// The only address goes, and with it the account's address.
        func unlinkAddress() async throws {
            _ = try await application.database.superuser.run([
                Statement(
                    """
                    insert into identities (tenant_id, user_id, id, issuer, subject_hash, verified_at)
                    values ($1, $2, gen_random_uuid(), 'google', $3, clock_timestamp())
                    """, member.owner.parameters + [.bytes(SecureRandom.bytes(32))])
            ])
            let store = PostgresLinkedIdentityStore(pool: try application.database.pool(.api))
            let own = try #require(try await store.identities(of: member).first { $0.provider == nil })
            #expect(try await store.unlink(own.id, of: member, origin: application.origin) == .unlinked)
        }
    }

    enum Act: String, CaseIterable, Sendable {
        case addressChanged, addressRemoved, passwordChanged, passwordReset, othersSignedOut, allSignedOut, signedOutByOperator, disabled
    }

    /// - Returns: the kinds of waiting mails that the act itself queues.
    private func run(_ act: Act, _ scene: Scene) async throws -> [String] {
        switch act {
        case .addressChanged:
            try await scene.changeAddress()
            return ["address_changed"]
        case .addressRemoved:
            try await scene.unlinkAddress()
            return ["identity_unlinked"]
        case .passwordChanged:
            try await scene.changePassword()
            return ["password_changed"]
        case .passwordReset:
            try await scene.reset()
            return ["password_changed"]
        case .othersSignedOut, .allSignedOut:
            try await scene.application.sessions.endAll(keepingOwn: act == .othersSignedOut, by: scene.member, requestID: nil)
        case .signedOutByOperator: #expect(try await scene.users.revokeSessions(scene.member.owner, nil, by: "anna") > 0)
        case .disabled: #expect(try await scene.users.setDisabled(scene.member.owner, true, by: "anna"))
        }
        return []
    }

    @Test(
        "live links, mailed codes and waiting mails with either end; notices and exports that are not built yet stay",
        arguments: Act.allCases)
    func ended(act: Act) async throws {
        let scene = try await Scene.make()
        let other = try await Scene.make()
        #expect(try await scene.exports.linkedExport(scene.ready, of: scene.member.owner) != nil)
        #expect(try await scene.waiting() == ["export_ready", "session_reused", "sign_in_code"])

        let generations = (own: try await scene.linkGeneration(), other: try await other.linkGeneration())

        let own = try await run(act, scene)

        // What playback links are signed with.
        #expect(try await scene.linkGeneration() > generations.own)
        #expect(try await other.linkGeneration() == generations.other)

        #expect(try await scene.exports.linkedExport(scene.ready, of: scene.member.owner) == nil)
        #expect(try await scene.exports.takeDownload(scene.ready, part: nil, of: scene.member.owner, requestID: nil) == nil)
        #expect(try await !scene.live(scene.ready))
        #expect(try await scene.live(scene.building))
        #expect(try await scene.waiting() == (own + ["session_reused"]).sorted())
        #expect(try await scene.openCodes() == 0)
        #expect(
            try await scene.application.database.text("select mail_status from exports where id = $1", .uuid(scene.ready.uuid)) == "failed")
        #expect(try await other.live(other.ready))
        #expect(try await other.waiting() == ["export_ready", "session_reused", "sign_in_code"])
        #expect(try await other.openCodes() == 1)
    }

    @Test("nothing ends with a refused change: a wrong code, a wrong password, an edited profile, one session of several")
    func kept() async throws {
        let scene = try await Scene.make()
        let application = scene.application
        let generation = try await scene.linkGeneration()
        let request = try await application.requestCode.run(.reset, scene.email, from: application.origin, in: application.tenant)
        let wrong = await refusal { () throws(DiaryError) in
            try await application.reset.run(
                scene.email, code: "00000000", request: request, password: "next", device: SignInDevice(), from: application.origin,
                in: application.tenant)
        }
        let refused = await refusal { () throws(DiaryError) in
            try await application.changePassword.run(from: "wrong", to: "next", device: nil, by: scene.member, from: application.origin)
        }
        let second = try await application.byPassword.run(
            scene.email, password: "right", device: SignInDevice(), from: application.origin, in: application.tenant)
        #expect(try await application.sessions.end(second.session, by: scene.member, requestID: nil))
        #expect(try await scene.users.revokeSessions(scene.member.owner, SessionID(UUID()), by: "anna") == 0)
        #expect(try await scene.linkGeneration() == generation)

        #expect(wrong?.code == .codeRefused && refused?.code == .passwordRefused)
        #expect(try await scene.exports.linkedExport(scene.ready, of: scene.member.owner) != nil)
        #expect(try await scene.waiting() == ["export_ready", "reset_code", "session_reused", "sign_in_code"])
        #expect(try await scene.openCodes() == 2)
    }

    @Test("C2: links and codes of another account do not end, in a transaction of a member or of sign-in")
    func another() async throws {
        let scene = try await Scene.make()
        let other = try await Scene.make()
        let pools = [try scene.application.database.pool(.api), try scene.application.database.pool(.auth)]
        for pool in pools {
            let refused = await failure { () throws(DatabaseError) in
                _ = try await OwnerTransaction(pool: pool).run(other.member.owner, [.endLinksAndCodes(of: scene.member.owner)])
            }
            #expect(refused?.kind == .raised(code: "DI404"))
        }
        #expect(try await scene.live(scene.ready))
        #expect(try await scene.openCodes() == 1)
    }
}
