import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Work on exports and mails", .serialized, .timeLimit(.minutes(3)))
struct ExportBuildStoreTests {
    @Test("an export is built and mailed exactly once, of 20 parallel ends")
    func export() async throws {
        let fixture = try await WorkerFixture.make()
        let id = ExportID(try await fixture.ready(.export))
        let job = try await fixture.claim(.export)
        let (export, profile) = try await fixture.builds.beginExport(job)
        #expect(export.id == id && export.status == .building && export.timeZone == "Europe/Berlin" && profile.timeZone == "Europe/Berlin")

        let ends = try await parallel(20) { _ in await refusal { () throws(WorkError) in try await fixture.finish(job) } }

        #expect(ends.count { $0 == nil } == 1)
        let ready = try #require(try await fixture.exports.export(id, of: fixture.person.member))
        #expect(ready.status == .ready && ready.sizeBytes == 77 && ready.entryCount == 3 && ready.mailStatus == .waiting)
        #expect(ready.parts.map(\.sizeBytes) == [77] && ready.parts.map(\.entryCount) == [3])
        #expect(try await fixture.database.int("select count(*) from mails") == 1)
        #expect(try await fixture.database.int("select count(*) from jobs where kind = 'mail'") == 1)

        let mailJob = try await fixture.claim(.mail)
        let mail = try await fixture.mails.beginMail(mailJob)
        #expect(mail.kind == .exportReady && mail.subject == id.uuid && mail.addressSealed == Array("sealed".utf8))
        let sent = try await parallel(20) { _ in await refusal { () throws(WorkError) in try await fixture.finish(mailJob) } }
        #expect(sent.count { $0 == nil } == 1)
        #expect(try await fixture.exports.export(id, of: fixture.person.member)?.mailStatus == .sent)
        #expect(try await fixture.database.text("select status || length(payload) from mails") == "sent0")
    }

    @Test("an export without entries is ready and is not mailed")
    func empty() async throws {
        let fixture = try await WorkerFixture.make()
        let id = ExportID(try await fixture.ready(.export))
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)
        try await fixture.builds.finishPart(job, part: 1, entries: 0, object: UUID(), keyID: fixture.person.keyID, size: 77)

        let next = try await fixture.builds.finishExport(
            job, keyID: fixture.person.keyID, size: 77, entryCount: 0, changesUpto: 3,
            expiresAt: Date(timeIntervalSinceNow: 3_600), kept: nil, mail: fixture.person.mail(.exportReady, subject: job.subject))

        let shown = try #require(try await fixture.exports.export(id, of: fixture.person.member))
        #expect(next == nil && shown.status == .ready && shown.mailStatus == .notAsked)
        #expect(try await fixture.database.int("select count(*) from mails") == 0)
    }

    @Test("an export revoked before or while it is built sends no mail")
    func revoked() async throws {
        let fixture = try await WorkerFixture.make()
        let before = ExportID(try await fixture.ready(.export))
        #expect(try await fixture.exports.revoke(before, by: fixture.person.member))
        let first = try await fixture.claim(.export)
        #expect(await refusal { () throws(WorkError) in try await fixture.begin(first) } == .ownerGone)
        #expect(try await fixture.state(first) == "done 1 0 0")

        let during = ExportID(try await fixture.ready(.export))
        let second = try await fixture.claim(.export)
        try await fixture.begin(second)
        #expect(try await fixture.exports.revoke(during, by: fixture.person.member))
        #expect(await refusal { () throws(WorkError) in try await fixture.finish(second) } == .ownerGone)
        try await fixture.queue.discard(second, code: .gone)

        #expect(try await fixture.database.int("select count(*) from mails") == 0)
        #expect(try await fixture.database.int("select count(*) from jobs where state in ('ready', 'leased')") == 0)
        #expect(try await fixture.exports.linkedExport(during, of: fixture.person.owner) == nil)
        #expect(try await fixture.exports.revoke(ExportID(UUID()), by: fixture.person.member) == false)
    }

    @Test("an export's mail goes to the address that the account has when it is sent, and to none that is not verified (decision D11)")
    func addressOfNow() async throws {
        let fixture = try await WorkerFixture.make()
        let id = ExportID(try await fixture.ready(.export))
        let build = try await fixture.claim(.export)
        try await fixture.begin(build)
        try await fixture.database.change("update users set email_sealed = 'next'")
        try await fixture.finish(build)
        let job = try await fixture.claim(.mail)

        #expect(try await fixture.mails.beginMail(job).addressSealed == Array("next".utf8))
        #expect(try await fixture.exports.linkedExport(id, of: fixture.person.owner) != nil)
        try await fixture.database.change("update identities set verified_at = null")
        #expect(try await fixture.mails.beginMail(job).addressSealed == nil)
    }

    @Test("a linked export has the locale that the account has now")
    func locale() async throws {
        let fixture = try await WorkerFixture.make()
        let id = ExportID(try await fixture.ready(.export))
        let build = try await fixture.claim(.export)
        try await fixture.begin(build)
        try await fixture.finish(build)

        #expect(try #require(await fixture.exports.linkedExport(id, of: fixture.person.owner)).locale == nil)
        try await fixture.database.change("update users set locale = 'en-US'")
        #expect(try #require(await fixture.exports.linkedExport(id, of: fixture.person.owner)).locale == "en-US")
    }

    @Test("an export that is finished while the address changes is not mailed to the old one")
    func finishedMeanwhile() async throws {
        let fixture = try await WorkerFixture.make()
        let id = ExportID(try await fixture.ready(.export))
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)
        let holder = try DedicatedConnection(fixture.database.settings(.superuser), logger: .quiet)
        defer { holder.close() }
        _ = try await holder.run([Statement("begin")])
        _ = try await holder.run([Statement("update users set email_sealed = 'next'")])

        async let finished = fixture.finish(job)
        try await fixture.someone(
            isCountedBy: "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
        _ = try await holder.run([Statement("commit")])

        #expect(try await finished == .mail)
        let mail = try await fixture.mails.beginMail(try await fixture.claim(.mail))
        #expect(mail.subject == id.uuid && mail.addressSealed == Array("next".utf8))
    }

    @Test("a mail that waits for its next try when the address changes is not tried again, and the link it held has ended (A9)")
    func endedBetweenTries() async throws {
        let fixture = try await WorkerFixture.make()
        try await fixture.ready(.mail)
        let export = try #require(
            try await fixture.exports.exports(before: nil, limit: 1, schedule: nil, status: nil, of: fixture.person.member).first)
        let first = try await fixture.claim(.mail)
        _ = try await fixture.mails.beginMail(first)
        try await fixture.queue.retry(first, code: .mailUnavailable, afterSeconds: 0)

        try await fixture.database.change("update users set email_sealed = 'next'")

        let second = try await fixture.claim(.mail)
        #expect(await refusal { () throws(WorkError) in try await fixture.begin(second) } == .ownerGone)
        #expect(try await fixture.database.int("select count(*) from jobs where state <> 'done'") == 0)
        #expect(try await fixture.exports.linkedExport(export.id, of: fixture.person.owner) == nil)
        let shown = try #require(try await fixture.exports.export(export.id, of: fixture.person.member))
        #expect(shown.revokedAt != nil && shown.revokedReason == .accessEnded && shown.mailStatus == .failed)
    }

    @Test("deleting an entry ends the links of zips that hold it, and of no others; one that is being built goes on")
    func deletedEntry() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        // 1 March in Berlin, 00:30; moved to 28 February and back by the end of the day.
        let entry = person.text(at: Date(timeIntervalSince1970: 1_772_321_400))
        func export(_ from: String, _ to: String, finishes: Bool = true) async throws -> ExportID {
            var form = try person.export(request: SecureRandom.bytes(8))
            form.selection = RequestedSelection(.days(try day(from), try day(to)))
            _ = try await fixture.exports.create(form, by: person.member)
            let job = try await fixture.claim(.export)
            try await fixture.begin(job)
            if finishes { try await fixture.finish(job) }
            return form.id
        }
        let before = try await export("2026-03-01", "2026-03-01")
        _ = try await fixture.entries.create(entry, by: person.member)
        let profiles = PostgresProfileStore(pool: try fixture.database.pool(.api))
        func endDays(at minute: Int) async throws {
            let patch = StoredProfilePatch(nameSealed: .absent, rest: ProfilePatch(dayEndsMinute: minute))
            _ = try await profiles.change(patch, matching: nil, keyID: nil, by: person.member)
        }
        try await endDays(at: 60)
        // Holds the entry under a day that it has no more when it is deleted.
        let moved = try await export("2026-02-28", "2026-02-28")
        try await endDays(at: 0)
        let kept = [try await export("2026-03-02", "2026-12-31"), try await export("2026-02-28", "2026-02-28"), before]
        let ended = [moved, try await export("2026-03-01", "2026-03-01"), try await export("2026-01-01", "2026-12-31")]
        let building = try await export("2026-03-01", "2026-03-31", finishes: false)

        #expect(try await fixture.entries.delete(entry.id, expecting: nil, keyID: person.keyID, by: person.member).name == "written")

        for id in ended {
            let shown = try #require(try await fixture.exports.export(id, of: person.member))
            #expect(shown.revokedAt != nil && shown.revokedReason == .entryDeleted && shown.mailStatus == .failed)
            #expect(try await fixture.exports.linkedExport(id, of: person.owner) == nil)
        }
        for id in kept { #expect(try await fixture.exports.linkedExport(id, of: person.owner) != nil) }
        #expect(try await fixture.exports.export(building, of: person.member)?.revokedAt == nil)
    }

    @Test(
        "a deletion ends no zip of the other kind, of another entry, or of what changed after the entry did, into the trash neither",
        arguments: [false, true])
    func deletedEntryOfOthers(toTrash: Bool) async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let (entry, other) = (person.text(), person.text(request: [2]))
        for made in [entry, other] { _ = try await fixture.entries.create(made, by: person.member) }
        func export(_ change: String) async throws -> ExportID {
            let form = try person.export(request: SecureRandom.bytes(8))
            _ = try await fixture.exports.create(form, by: person.member)
            let job = try await fixture.claim(.export)
            try await fixture.begin(job)
            try await fixture.finish(job)
            try await fixture.database.change("update exports set \(change) where id = $1", .uuid(form.id.uuid))
            return form.id
        }
        let number = try await fixture.database.int("select change_number from entries where id = $1", .uuid(entry.id.uuid))
        let kept = [
            try await export("kind = 'voice'"), try await export("entry_ids = '{\(other.id)}'"),
            try await export("changed_after = \(number)"),
        ]
        let ended = [
            try await export("kind = 'text'"), try await export("entry_ids = '{\(other.id),\(entry.id)}'"),
            try await export("changed_after = \(number - 1)"), try await export("tag_hashes = '{1}', tags_sealed = 'sealed'"),
        ]

        let outcome =
            if toTrash {
                try await fixture.entries.moveToTrash(entry.id, expecting: nil, days: 30, keyID: person.keyID, by: person.member)
            } else {
                try await fixture.entries.delete(entry.id, expecting: nil, keyID: person.keyID, by: person.member)
            }

        #expect(outcome.name == "written")
        for id in ended { #expect(try await fixture.exports.export(id, of: person.member)?.revokedAt != nil) }
        for id in kept { #expect(try await fixture.exports.export(id, of: person.member)?.revokedAt == nil) }
    }

    @Test("of 20 parallel downloads as many are counted as the export allows; none after it is revoked or has ended (E3)")
    func downloads() async throws {
        let fixture = try await WorkerFixture.make()
        let id = ExportID(try await fixture.ready(.export))
        #expect(try await fixture.exports.takeDownload(id, part: nil, of: fixture.person.owner, requestID: nil) == nil)
        try await fixture.finish(try await fixture.claim(.export))

        let taken = try await parallel(20) { _ in
            try await fixture.exports.takeDownload(id, part: nil, of: fixture.person.owner, requestID: nil)?.downloads
        }

        #expect(taken.compactMap { $0 }.sorted() == [1, 2])
        #expect(try await fixture.exports.linkedExport(id, of: fixture.person.owner)?.downloads == 2)
        try await fixture.database.change("update exports set expires_at = clock_timestamp()")
        #expect(try await fixture.exports.linkedExport(id, of: fixture.person.owner) == nil)
    }

    @Test(
        "50 parallel identical export requests make one export and one job; another body is refused; a mail without a proved address too (A7, decision D11)"
    )
    func exportRequests() async throws {
        let fixture = try await WorkerFixture.make()
        let outcomes = try await parallel(50) { _ in
            try await fixture.exports.create(try fixture.person.export(idempotency: [1]), by: fixture.person.member)
        }
        let unproved = try await Person.make(in: fixture.database, verified: false)

        #expect(outcomes.count { $0.name == "created" } == 1)
        #expect(outcomes.count { $0.name == "replayed" } == 49)
        #expect(Set(outcomes.compactMap { $0.export?.id }).count == 1)
        #expect(
            try await fixture.exports.create(try fixture.person.export(request: [2], idempotency: [1]), by: fixture.person.member).name
                == "keyReused")
        #expect(
            try await fixture.exports.create(try unproved.export(idempotency: [1], mail: true), by: unproved.member).name
                == "addressNotVerified")
        var late = try fixture.person.export(idempotency: [1])
        late.mayCreate = false
        #expect(try await fixture.exports.create(late, by: fixture.person.member).name == "replayed")
        for key in [[2], nil] as [[UInt8]?] {
            var other = try fixture.person.export(idempotency: key)
            other.mayCreate = false
            #expect(
                await refusal { () throws(DiaryError) in try await fixture.exports.create(other, by: fixture.person.member) }?.code
                    == .rateLimited)
        }
        for table in ["exports", "jobs", "idempotency_keys"] {
            #expect(try await fixture.database.int("select count(*) from \(table)") == 1)
        }
    }

    @Test("an export request of an account that is erased after the session check is refused as unauthorized, not for its address (G5)")
    func endingAccount() async throws {
        let fixture = try await WorkerFixture.make()
        let administration = PostgresUserAdministration(pool: try fixture.database.pool(.admin))
        let export = try fixture.person.export(idempotency: [1])

        // Held while the transaction checks the session.
        let refused = try await fixture.holding(at: "sessions", condition: "tenant_id = current_tenant() and user_id = current_member()") {
            await refusal { () throws(DiaryError) in try await fixture.exports.create(export, by: fixture.person.member) }
        } _: {
            let deletion = NewDeletion(
                id: DeletionID(UUIDv7.make()), receiptHash: [UInt8](repeating: 7, count: 32), subjectSealed: [1], uploadSeconds: 0)
            let isEnding = try await administration.requestErasure(fixture.person.owner, deletion, by: nil)
            #expect(isEnding)
        }

        #expect(refused?.code == .unauthorized)
    }

    @Test(
        "so is one whose account ends after the session check and before the claim, with a key of its client's and without; if the address alone goes, it is told (G5)",
        arguments: [
            ([1], true, "unauthorized"), (nil, true, "unauthorized"), ([1], false, "addressNotVerified"),
            (nil, false, "addressNotVerified"),
        ]
            as [([UInt8]?, Bool, String)])
    func endingBeforeTheClaim(idempotency: [UInt8]?, ends: Bool, answer: String) async throws {
        let fixture = try await WorkerFixture.make()
        let export = try fixture.person.export(idempotency: idempotency, mail: true)
        let holder = try DedicatedConnection(fixture.database.settings(.superuser), logger: .quiet)
        defer { holder.close() }
        _ = try await holder.run([Statement("begin")])
        _ = try await holder.run([Statement("lock table idempotency_keys in access exclusive mode")])

        async let answered = {
            do { return try await fixture.exports.create(export, by: fixture.person.member).name } catch let error as DiaryError {
                return error.code.rawValue
            }
        }()
        let waiting = "select count(*) from pg_locks where relation = 'idempotency_keys'::regclass and not granted"
        try await fixture.someone(isCountedBy: waiting)
        #expect(try await fixture.database.int(waiting) == 1)
        if ends { _ = try await holder.run([Statement("update sessions set revoked_at = clock_timestamp()")]) }
        _ = try await holder.run([Statement("update identities set verified_at = null")])
        _ = try await holder.run([Statement("commit")])

        #expect(try await answered == answer)
        #expect(try await fixture.database.int("select count(*) from exports") == 0)
    }

    @Test("an export reads one snapshot in order while entries are made, changed and deleted (E5)")
    func snapshot() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        try await fixture.database.change(
            """
            insert into entries (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, request_hash, key_id, personal,
                personal_version)
            select $1, $2, gen_random_uuid(), 'text', 'transcribed', n, '2026-03-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 minute', 'UTC',
                '2026-03-01'::timestamp + n * interval '1 minute', '', $3, 'sealed', 1 from generate_series(1, 950) n
            """, .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid), .uuid(person.keyID))
        try await fixture.database.change("update user_sync set change_number = 950")
        try await fixture.ready(.export)
        let (export, _) = try await fixture.builds.beginExport(try await fixture.claim(.export))
        let read = Pages()

        try await fixture.builds.readExport(export, of: person.owner) { _ in
        } deleted: { _ in
        } page: { page in
            read.append(page)
            // Entries after the first page change before the second is read.
            _ = try await fixture.entries.create(person.text(at: Date(timeIntervalSince1970: 1_772_400_000)), by: person.member)
            for entry in try await fixture.entries.list(
                DateQuery(from: nil, to: nil, order: .newestFirst, after: nil, limit: 20), of: person.member)
            {
                _ = try await fixture.entries.delete(entry.facts.id, expecting: nil, keyID: person.keyID, by: person.member)
            }
            try await fixture.database.change("update entries set personal = 'other', personal_version = 2 where deleted_at is null")
        }

        let entries = read.entries
        #expect(entries.count == 950)
        #expect(Set(entries.map(\.facts.id)).count == 950)
        #expect(entries.allSatisfy { $0.personal == SealedColumn(bytes: Array("sealed".utf8), version: 1) && $0.facts.deletedAt == nil })
        #expect(
            zip(entries, entries.dropFirst()).allSatisfy {
                ($0.facts.recordedAt, $0.facts.id.description) < ($1.facts.recordedAt, $1.facts.id.description)
            })
        #expect(try await fixture.database.int("select count(*) from entries where deleted_at is null") < 950)
    }

    @Test(
        "an export's range is days of the entries' own clocks, over summer time, and days end when the account says (E4)",
        arguments: [0, 180])
    func range(dayEndsMinute: Int) async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        // Berlin, 25 October 2026, has 25 hours: from 22:00 to 23:00 UTC. A day that ends at three in the morning begins after the change
        // of clocks and has 24.
        let later = Double(dayEndsMinute * 60)
        let begin = 1_792_879_200 + later + (dayEndsMinute == 0 ? 0 : 3600)
        let times = [begin - 0.001, begin, 1_792_969_199.999 + later, 1_792_969_200 + later]
        for time in times {
            _ = try await fixture.entries.create(
                person.text(at: Date(timeIntervalSince1970: time), zone: "Europe/Berlin"), by: person.member)
        }
        // 23:30 of the 25th in New York, 04:30 of the 26th in Berlin.
        let elsewhere = 1_792_985_400.0
        _ = try await fixture.entries.create(
            person.text(at: Date(timeIntervalSince1970: elsewhere), zone: "America/New_York"), by: person.member)
        try await fixture.database.change("update users set day_ends_minute = \(dayEndsMinute)")
        var form = try person.export()
        let asked = try day("2026-10-25")
        form.selection = RequestedSelection(.days(asked, asked))
        _ = try await fixture.exports.create(form, by: person.member)
        let (export, _) = try await fixture.builds.beginExport(try await fixture.claim(.export))
        let read = Pages()

        try await fixture.builds.readExport(export, of: person.owner) { _ in
        } deleted: { _ in
        } page: {
            read.append($0)
        }

        #expect(read.entries.map(\.facts.recordedAt.timeIntervalSince1970) == [times[1], times[2], elsewhere])
        #expect(read.entries.allSatisfy { $0.facts.day == asked })
    }
}
