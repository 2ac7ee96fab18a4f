import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Own account", .timeLimit(.minutes(2)))
struct OwnAccountTests {
    @Test(
        "B15: one session, all others, or all are ended, refused on their next request, and recorded; those of others and ended ones are missing"
    )
    func ending() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let (member, _) = try await application.member(email)
        let other = try await application.member(try AccountApplication.address()).member
        var opened: [Member] = []
        for _ in 0..<3 {
            let tokens = try await application.byPassword.run(
                email, password: "right", device: SignInDevice(), from: application.origin, in: application.tenant)
            opened.append(Member(tenant: application.tenant.id, user: tokens.user, session: tokens.session))
        }
        let account = application.features.account
        func code(_ session: SessionID) async -> ErrorCode? {
            await refusal { () throws(DiaryError) in try await account.endSession(session, by: member, from: application.origin) }?.code
        }
        func lives(_ member: Member) async -> Bool { (try? await application.sessions.sessions(of: member)) != nil }

        #expect(await code(other.session) == .notFound)
        #expect(await code(opened[0].session) == nil)
        #expect(await code(opened[0].session) == .notFound)
        #expect(await !lives(opened[0]))
        try await account.endSessions(keepingOwn: true, by: member, from: application.origin)
        #expect(await !lives(opened[1]))
        #expect(await lives(member))
        try await account.endSessions(keepingOwn: false, by: member, from: application.origin)

        #expect(await !lives(member))
        #expect(await lives(other))
        #expect(
            try await application.events(member.owner).suffix(3) == [
                "session_revoked member", "sessions_revoked member", "sessions_revoked member",
            ])
    }

    @Test("a profile's change sets only the fields it names; a cleared field returns to its default; an unknown zone is refused")
    func profile() async throws {
        let application = try await AccountApplication.make()
        let (member, _) = try await application.member(try AccountApplication.address())
        let edit = application.features.account.editProfile

        func changed(_ patch: ProfilePatch) async throws -> Profile? {
            if case .changed(let profile) = try await edit.run(patch, matching: nil, by: member) { profile } else { nil }
        }

        let named = try #require(
            try await changed(
                ProfilePatch(
                    name: .set("Grace"), locale: .set("de-CH"), timeZone: "Europe/Zurich", dayEndsMinute: 180, languages: ["en", "de"])))
        let cleared = try #require(try await changed(ProfilePatch(name: .clear, languages: [])))

        #expect(named.name == "Grace" && named.stored.locale == "de-CH" && named.stored.timeZone == "Europe/Zurich")
        #expect(named.stored.preferences == Preferences(dayEndsMinute: 180, languages: ["en", "de"]))
        #expect(cleared.name == nil && cleared.stored.locale == "de-CH" && cleared.stored.preferences.dayEndsMinute == 180)
        #expect(cleared.stored.preferences.languages == [])
        let error = await refusal { () throws(DiaryError) in
            _ = try await edit.run(ProfilePatch(timeZone: "Europe/Berlln"), matching: nil, by: member)
        }
        #expect(error?.fields.map(\.pointer) == ["/time_zone"])
    }

    @Test("a profile has another version after every change of what it shows, and a change for another version changes nothing")
    func profileVersions() async throws {
        let application = try await AccountApplication.make()
        let (member, _) = try await application.member(try AccountApplication.address())
        let account = application.features.account
        func version() async throws -> Int64 { try await account.profile(of: member).stored.version }
        let patches = [
            ProfilePatch(name: .set("Grace")), ProfilePatch(name: .set("Ada")), ProfilePatch(locale: .set("de")),
            ProfilePatch(timeZone: "Europe/Berlin"), ProfilePatch(dayEndsMinute: 60), ProfilePatch(languages: ["en"]),
            ProfilePatch(hostedProcessingConsent: true), ProfilePatch(vocabulary: ["Kreuzberg"]),
            ProfilePatch(recordingsRetentionDays: .set(30)),
            ProfilePatch(reminder: .set(Reminder(minute: 1_260, days: [.friday, .monday], enabled: true))),
        ]
        var versions = [try await version()]
        for patch in patches {
            let before = try #require(versions.last)
            guard case .changed(let profile) = try await account.editProfile.run(patch, matching: [0, before], by: member) else {
                Issue.record("refused the present version")
                return
            }
            versions.append(profile.stored.version)
            #expect(try await version() == profile.stored.version)
        }
        // The address and its proof are changed elsewhere.
        for column in ["verified_at = null", "verified_at = now()"] {
            try await application.database.change(
                "update identities set \(column) where user_id = $1 and issuer = 'email'", .uuid(member.user.uuid))
            if column.hasSuffix("null") { versions.append(try await version()) }
        }

        #expect(Set(versions).count == versions.count && versions.allSatisfy { (0..<1 << 53).contains($0) })
        let now = try await version()
        let outcome = try await account.editProfile.run(ProfilePatch(name: .set("Eve")), matching: [versions[0]], by: member)
        guard case .otherVersion(let profile) = outcome else {
            Issue.record("accepted an old version")
            return
        }
        #expect(profile.name == "Ada" && profile.stored.version == now)
        #expect(try await version() == now)
    }

    @Test("of parallel changes for one version of a profile one is made")
    func parallelProfileChanges() async throws {
        let application = try await AccountApplication.make()
        let (member, _) = try await application.member(try AccountApplication.address())
        let account = application.features.account
        let version = try await account.profile(of: member).stored.version

        let made = try await parallel(8) { number in
            let patch = ProfilePatch(name: .set("Name \(number)"))
            if case .changed = try await account.editProfile.run(patch, matching: [version], by: member) {
                return true
            } else {
                return false
            }
        }

        #expect(made.count { $0 } == 1)
    }

    @Test(
        "statistics count per month of the diary what arrived: no deleted entry, none that waits for its upload, expired or failed its check"
    )
    func statistics() async throws {
        let database = try await MigratedDatabase.shared()
        let seedData = try await SeedData.make(in: database)
        try await database.change(
            "update entries set duration_s = 2.5 where user_id = $1 and kind = 'voice'", .uuid(seedData.person.owner.user.uuid))
        try await database.change(
            "update entries set stage_code = 'upload_expired' where id = $1", .uuid(seedData.failed.uuid))
        let worked = try await database.superuser.run([
            Statement(
                "select id from entries where user_id = $1 and status in ('uploaded', 'transcribing', 'cleaning') and change_number > 0 order by change_number",
                [.uuid(seedData.person.owner.user.uuid)])
        ])[0].map { try $0.uuid(0) }
        #expect(worked.count == seedData.worked.count)
        // One failed after its check, and one belongs to May by its clock.
        try await database.change("update entries set status = 'failed', stage = 'transcribe' where id = $1", .uuid(worked[0]))
        try await database.change("update entries set recorded_local = '2026-05-31T23:00:00' where id = $1", .uuid(worked[1]))
        try await database.change("update entries set size_bytes = null where id = $1", .uuid(seedData.text.uuid))
        let store = PostgresProfileStore(pool: try database.pool(.api))
        // One of each stage, and four others.
        let recordings = Int64(worked.count + 4)

        let own = try await store.statistics(of: seedData.person.member, at: .now)

        #expect(own.months.map(\.name) == ["2026-06", "2026-05"])
        #expect(own.months.map(\.counts.recordings) == [recordings - 1, 1])
        #expect(own.months.map(\.counts.texts) == [1, 0])
        #expect(own.months.map(\.counts.durationSeconds) == [2.5 * Double(recordings - 1), 2.5])
        #expect(own.months.map(\.counts.sizeBytes) == [5 * (recordings - 2), 5])
        #expect(
            own.total
                == AccountStatistics.Counts(
                    recordings: recordings, texts: 1, durationSeconds: 2.5 * Double(recordings), sizeBytes: 5 * (recordings - 1)))

        try await database.change(
            "update entries set deleted_at = now(), personal = null, machine = null, stage = null, stage_code = null where id = $1",
            .uuid(worked[1]))
        #expect(try await store.statistics(of: seedData.person.member, at: .now).months.map(\.name) == ["2026-06"])
    }

    @Test("events come newest first, in pages without a gap, and only the account's own")
    func events() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let other = try await Person.make(in: database, tenant: person.owner.tenant)
        for (owner, count) in [(person.owner, 25), (other.owner, 3)] {
            try await database.change(
                """
                insert into audit_events (tenant_id, user_id, at, kind, actor)
                select $1, $2, '2026-01-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 microsecond', 'signed_in', 'member' from generate_series(1, \(count)) n
                """, .uuid(owner.tenant.uuid), .uuid(owner.user.uuid))
        }
        try await database.change(
            "insert into audit_events (tenant_id, user_id, kind, actor) values ($1, $2, 'of_a_newer_version', 'service')",
            .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid))
        let read = ReadEvents(profiles: PostgresProfileStore(pool: try database.pool(.api)))

        var seen: [AuditEvent] = []
        var position: ListPosition?
        repeat {
            let page = try await read.run(nil, before: position, limit: 4, of: person.member)
            seen += page.items
            position = try page.next.map { try #require(ListPosition(parsing: $0.text)) }
        } while position != nil

        #expect(seen.count == 25 && Set(seen.map(\.id)).count == 25)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.at >= $1.at })
    }

    @Test("an export and its download are among the events; a repeated request is not")
    func exports() async throws {
        let fixture = try await WorkerFixture.make()
        let export = try fixture.person.export(idempotency: [4])
        _ = try await fixture.exports.create(export, by: fixture.person.member)
        _ = try await fixture.exports.create(try fixture.person.export(idempotency: [4]), by: fixture.person.member)
        try await fixture.finish(try await fixture.claim(.export))
        _ = try await fixture.exports.takeDownload(export.id, part: nil, of: fixture.person.owner, requestID: "r-1")

        let events = try await PostgresProfileStore(pool: try fixture.database.pool(.api)).events(
            nil, before: nil, limit: 9, of: fixture.person.member)

        #expect(events.map(\.kind) == [.exportDownloaded, .exportRequested])
        #expect(events.map(\.actor) == [.anonymous, .member] && events.first?.requestID == "r-1")
    }

    @Test("events older than 400 days are swept")
    func sweeping() async throws {
        let database = try await MigratedDatabase.make()
        let person = try await Person.make(in: database)
        for days in [1, 399, 401] {
            try await database.change(
                "insert into audit_events (tenant_id, user_id, at, kind, actor) values ($1, $2, now() - make_interval(days => \(days)), 'signed_in', 'member')",
                .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid))
        }

        let isMore = try await PostgresSweepStore(pool: try database.pool(.worker)).sweepOld(most: 1_000)

        #expect(!isMore)
        #expect(try await database.int("select count(*) from audit_events") == 2)
    }
}
