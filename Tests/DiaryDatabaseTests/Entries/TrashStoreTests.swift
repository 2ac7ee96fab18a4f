import DiaryCrypto
import Foundation
import PostgresClient
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("The trash", .timeLimit(.minutes(2)))
struct TrashStoreTests {
    let fixture: WorkerFixture
    let store: PostgresEntryStore
    let sweep: PostgresSweepStore

    init() async throws {
        fixture = try await WorkerFixture.make(in: try await MigratedDatabase.shared())
        store = fixture.entries
        sweep = PostgresSweepStore(pool: try fixture.database.pool(.worker))
    }

    private var person: Person { fixture.person }
    private var user: Parameter { .uuid(person.owner.user.uuid) }

    private func move(_ id: EntryID, expecting version: Int64? = nil) async throws(DiaryError) -> RemovalOutcome {
        try await store.moveToTrash(id, expecting: version, days: 30, keyID: person.keyID, by: person.member)
    }

    private func restore(_ id: EntryID) async throws(DiaryError) -> RestoreOutcome {
        try await store.restore(id, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member)
    }

    private func stored() async throws -> Int64 {
        try await fixture.database.int("select stored_bytes from user_sync where user_id = $1", user)
    }

    private func columns(_ expression: String, of id: EntryID) async throws -> String? {
        try await fixture.database.text("select (\(expression))::text from entries where id = $1", .uuid(id.uuid))
    }

    private func trash() async throws -> [EntryID] {
        try await store.trash(before: nil, limit: 9, of: person.member).map(\.facts.id)
    }

    private func jobs(of id: EntryID) async throws -> String? {
        try await fixture.database.text(
            "select string_agg(kind || ' ' || state, ', ' order by created_at, kind) from jobs where subject = $1", .uuid(id.uuid))
    }

    private func feed(after number: Int64 = 0) async throws -> [StoredEntry] {
        let start: FeedStart = number == 0 ? .beginning : .after(changeNumber: number)
        guard case .page(let page, _, _, _, _) = try await store.changes(from: start, limit: 9, of: person.member) else {
            throw NotWhatWasExpected()
        }
        return page.entries
    }

    @Test(
        "an entry in the trash is a tombstone without words for everything else, is listed there, goes on counting as stored, and comes back whole"
    )
    func wayBack() async throws {
        var entry = person.voice(size: 100)
        entry.facts.favorite = true
        entry.labelHashes = [3, 4]
        _ = try await store.create(entry, by: person.member)

        #expect(try await move(entry.id, expecting: 2).name == "conflict")
        #expect(try await move(entry.id, expecting: 1).entry?.facts.trashEndsAt != nil)

        #expect(try await store.entry(entry.id, of: person.member) == nil)
        #expect(try await move(entry.id).name == "missing")
        #expect(try await store.delete(entry.id, expecting: nil, keyID: person.keyID, by: person.member).name == "missing")
        let tombstone = try #require(try await feed().first)
        #expect(tombstone.facts.deletedAt != nil && tombstone.facts.trashEndsAt != nil && tombstone.personal == nil)
        #expect(try await store.create(entry, by: person.member).name == "deleted")
        #expect(try await trash() == [entry.id])
        #expect(try await stored() == 100)
        let number = tombstone.facts.changeNumber

        // It needs no job.
        let outcome = try await store.restore(entry.id, keyID: person.keyID, job: nil, by: person.member)
        guard case .restored(let back, nil) = outcome else { throw NotWhatWasExpected() }

        #expect(back.facts.favorite && back.facts.deletedAt == nil && back.facts.trashEndsAt == nil && back.version == 1)
        #expect(back.facts.object == entry.object && back.personal?.bytes == [7, 7])
        #expect(try await columns("label_hashes", of: entry.id) == "{3,4}")
        #expect(try await feed(after: number).map(\.facts.id) == [entry.id])
        #expect(try await trash().isEmpty)
        #expect(try await stored() == 100)
        guard case .already = try await restore(entry.id) else { throw NotWhatWasExpected() }
        #expect(try await feed(after: back.facts.changeNumber).isEmpty)
    }

    @Test("work on an entry in the trash ends, and begins again where it stood with the restoration; work still under way goes on")
    func work() async throws {
        let fixture = try await WorkerFixture.make()
        let (person, store) = (fixture.person, fixture.entries)
        let id = EntryID(try await fixture.ready(.transcribe))
        let job = try await fixture.claim(.transcribe)
        try await fixture.begin(job)
        func restored() async throws -> JobKind? {
            let outcome = try await store.restore(id, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member)
            guard case .restored(let entry, let kind) = outcome else { throw NotWhatWasExpected() }
            #expect(entry.facts.status == .uploaded && entry.facts.processing?.stage == .transcribe)
            return kind
        }
        func live() async throws -> Int64 {
            try await fixture.database.int(
                "select count(*) from jobs where subject = $1 and state in ('ready', 'leased')", .uuid(id.uuid))
        }

        _ = try await store.moveToTrash(id, expecting: nil, days: 3, keyID: person.keyID, by: person.member)
        _ = try await restored()
        #expect(try await live() == 1)

        _ = try await store.moveToTrash(id, expecting: nil, days: 3, keyID: person.keyID, by: person.member)
        // Its result finds no entry.
        let next = try await fixture.finish(job)
        #expect(next == nil)
        #expect(try await live() == 0)
        let withoutJob = try await store.restore(id, keyID: person.keyID, job: nil, by: person.member)
        guard case .needsJob = withoutJob else { throw NotWhatWasExpected() }
        #expect(try await live() == 0)
        #expect(try await store.trash(before: nil, limit: 9, of: person.member).map(\.facts.id) == [id])
        #expect(try await restored() == .transcribe)
        #expect(try await live() == 1)
    }

    @Test("a recording that waited in the trash for a consent is queued with its restoration, once that is given")
    func consent() async throws {
        let fixture = try await WorkerFixture.make()
        let (person, store) = (fixture.person, fixture.entries)
        let id = EntryID(try await fixture.ready(.transcribe))
        try await fixture.queue.discard(try await fixture.claim(.transcribe), code: .consentRequired)
        func trashed() async throws {
            _ = try await store.moveToTrash(id, expecting: nil, days: 3, keyID: person.keyID, by: person.member)
        }
        func restored() async throws -> (facts: EntryFacts, job: JobKind?) {
            let outcome = try await store.restore(id, keyID: person.keyID, job: nil, by: person.member)
            guard case .restored(let entry, let kind) = outcome else { throw NotWhatWasExpected() }
            return (entry.facts, kind)
        }

        try await trashed()
        let before = try await restored()
        #expect(before.facts.processing?.code == .consentRequired && before.job == nil)
        try await trashed()
        _ = try await PostgresProfileStore(pool: try fixture.database.pool(.api)).change(
            StoredProfilePatch(nameSealed: .absent, rest: ProfilePatch(hostedProcessingConsent: true)), matching: nil, keyID: nil,
            by: person.member)
        let after = try await restored()
        #expect(after.facts.status == .uploaded && after.facts.processing?.code == nil && after.job == .transcribe)
        #expect(
            try await fixture.database.int("select count(*) from jobs where subject = $1 and state = 'ready'", .uuid(id.uuid)) == 1)
    }

    @Test("an upload goes on in the trash, and the time there does not count for its window")
    func upload() async throws {
        let entry = person.voice()
        _ = try await store.create(entry, by: person.member)
        let (object, owner) = (try #require(entry.object), person.owner)
        let staging = ObjectKey(kind: .staging, tenant: owner.tenant, user: owner.user, object: object)
        let end = try #require(try await store.entry(entry.id, of: person.member)?.facts.uploadExpiresAt)
        _ = try await move(entry.id)
        try await fixture.database.change(
            "update entries set deleted_at = deleted_at - interval '2 days' where id = $1", .uuid(entry.id.uuid))

        #expect(try await store.uploadState(object, of: owner) == .awaiting)
        #expect(try await store.uploadArrived(object, of: owner))
        #expect(try await sweep.orphans(among: [staging]).isEmpty)
        guard case .restored(let back, _) = try await restore(entry.id) else { throw NotWhatWasExpected() }

        #expect(try #require(back.facts.uploadExpiresAt).timeIntervalSince(end) >= 2 * 86_400)
        #expect(back.facts.status == .awaitingUpload)
    }

    @Test(
        "an entry ends in the trash when its owner wants it or its time is over: no words are left, and its tombstone keeps its place in the feed"
    )
    func end() async throws {
        let (asked, old) = (person.voice(size: 10), person.voice(size: 20))
        for entry in [asked, old] {
            _ = try await store.create(entry, by: person.member)
            _ = try await move(entry.id)
        }
        let numbers = try await feed().map(\.facts.changeNumber)

        func end(expecting version: Int64?) async throws(DiaryError) -> RemovalOutcome {
            try await store.endTrash(asked.id, expecting: version, keyID: person.keyID, by: person.member)
        }
        #expect(try await end(expecting: 2).name == "conflict")
        #expect(try await end(expecting: 1).written?.entry.facts.object == asked.object)
        #expect(try await end(expecting: nil).name == "missing")
        #expect(try await stored() == 20)
        #expect(try await sweep.endTrash(old.id, of: person.owner) == nil)
        try await fixture.database.change("update entries set trash_ends_at = now() where id = $1", .uuid(old.id.uuid))
        // It can neither be seen nor restored any more, although no sweeper has been there.
        #expect(try await trash().isEmpty)
        guard case .missing = try await restore(old.id) else { throw NotWhatWasExpected() }
        #expect(try await sweep.endedTrash(limit: 1_000).contains { $0.entry == old.id })
        #expect(try await sweep.endTrash(old.id, of: person.owner) == RecordingObjects(original: old.object))

        #expect(try await stored() == 0)
        for id in [asked.id, old.id] {
            #expect(try await columns("num_nonnulls(personal, machine, label_hashes, trash_ends_at, sha256)", of: id) == "0")
        }
        #expect(try await feed().map(\.facts.changeNumber) == numbers)
        let keys = [asked, old].compactMap(\.object).map {
            ObjectKey(kind: .audio, tenant: person.owner.tenant, user: person.owner.user, object: $0)
        }
        #expect(try await sweep.orphans(among: keys) == keys)
    }

    @Test("an unchecked recording in the trash is named for sealing, and one that has arrived there is checked when its entry is restored")
    func unchecked() async throws {
        let (waiting, other, verified) = (person.voice(), person.voice(), person.voice())
        for entry in [waiting, other, verified] { _ = try await store.create(entry, by: person.member) }
        try await fixture.database.change(
            "update entries set status = 'transcribed' where id = $1", .uuid(verified.id.uuid))
        for entry in [waiting, verified] { _ = try await move(entry.id) }
        func mine() async throws -> [AwaitingUpload] {
            try await sweep.uncheckedTrash(after: nil, limit: 10_000).filter { $0.owner == person.owner }
        }
        let found = try await mine()
        #expect(found.map(\.entry) == [waiting.id] && found.first?.object == waiting.object && found.first?.size == 1_000)
        #expect(try await sweep.uncheckedTrash(after: waiting.id, limit: 10_000).allSatisfy { $0.entry != waiting.id })
        let number = try await columns("change_number", of: waiting.id)

        func arrived(_ entry: EntryID, _ object: UUID?) async throws {
            let object = try #require(object)
            try await sweep.arrivedInTrash(
                AwaitingUpload(owner: person.owner, entry: entry, object: object, size: 1_000, createdAt: .now, expiresAt: .now))
        }
        // Read before the entry was opened again, for another recording.
        try await arrived(waiting.id, UUID())
        #expect(try await columns("status", of: waiting.id) == "awaiting_upload")

        for entry in [waiting, other, verified] { try await arrived(entry.id, entry.object) }

        #expect(try await columns("status || ' ' || stage", of: waiting.id) == "uploaded verify")
        #expect(try await columns("change_number", of: waiting.id) == number, "the tombstone keeps its place in the feed")
        #expect(try await columns("status", of: other.id) == "awaiting_upload")
        #expect(try await columns("status", of: verified.id) == "transcribed")
        #expect(try await mine().map(\.entry) == [waiting.id])
        guard case .restored(let back, .verify?) = try await restore(waiting.id) else { throw NotWhatWasExpected() }
        #expect(back.facts.status == .uploaded)
        #expect(try await jobs(of: waiting.id) == "verify ready")
        #expect(try await mine().isEmpty)
    }

    @Test(
        "a recording whose check failed is named for sealing for a week, which does not change its entry, and counts in the comparison with the store"
    )
    func refused() async throws {
        let (refused, expired, old, checked) = (person.voice(), person.voice(), person.voice(), person.voice())
        for entry in [refused, expired, old, checked] { _ = try await store.create(entry, by: person.member) }
        for (entry, stage, code) in [
            (refused, "verify", "media_unsupported"), (expired, "verify", "upload_expired"), (old, "verify", "storage_unavailable"),
            (checked, "transcribe", "speech_unavailable"),
        ] {
            try await fixture.database.change(
                "update entries set status = 'failed', stage = $2, stage_code = $3 where id = $1", .uuid(entry.id.uuid), .text(stage),
                .text(code))
        }
        try await fixture.database.change("update entries set updated_at = now() - interval '8 days' where id = $1", .uuid(old.id.uuid))
        func mine(after place: EntryID? = nil) async throws -> [EntryID] {
            try await sweep.uncheckedTrash(after: place, limit: 10_000).filter { $0.owner == person.owner }.map(\.entry)
        }
        let before = try await columns("status || ' ' || stage_code || ' ' || change_number", of: refused.id)

        #expect(try await mine() == [refused.id])
        #expect(try await mine(after: refused.id).isEmpty)
        let upload = AwaitingUpload(
            owner: person.owner, entry: refused.id, object: try #require(refused.object), size: 1_000, createdAt: .now, expiresAt: .now)
        try await sweep.arrivedInTrash(upload)

        #expect(try await columns("status || ' ' || stage_code || ' ' || change_number", of: refused.id) == before)
        let checks = PostgresRestoreCheck(main: try fixture.database.pool(.backup), keys: try fixture.database.pool(.backup))
        let named = try await checks.recordings(after: nil, limit: 100_000).filter { $0.owner == person.owner }
        #expect(Set(named.map(\.id)) == [checked.id.uuid])
    }

    @Test(
        "an object in staging is a checked upload's when the check of its entry ended well, also in the trash, and never for another account"
    )
    func checkedUploads() async throws {
        let rows: [(status: String, stage: String?, isChecked: Bool)] = [
            ("awaiting_upload", nil, false), ("uploaded", nil, false), ("uploaded", "verify", false), ("uploaded", "transcribe", true),
            ("transcribing", "transcribe", true), ("cleaning", "clean", true), ("transcribed", nil, true), ("failed", "verify", false),
            ("failed", "clean", true),
        ]
        var (keys, expected): ([ObjectKey], [ObjectKey]) = ([], [])
        for row in rows {
            let entry = person.voice()
            _ = try await store.create(entry, by: person.member)
            try await fixture.database.change(
                "update entries set status = $2, stage = $3 where id = $1", .uuid(entry.id.uuid), .text(row.status), .text(row.stage))
            let key = ObjectKey(
                kind: .staging, tenant: person.owner.tenant, user: person.owner.user, object: try #require(entry.object))
            keys.append(key)
            if row.isChecked { expected.append(key) }
            if row.stage == "clean" { _ = try await move(entry.id) }
        }
        let foreign = keys.map { ObjectKey(kind: .staging, tenant: $0.tenant, user: UserID(UUID()), object: $0.object) }

        #expect(try await sweep.checkedUploads(among: keys + foreign) == expected)
        #expect(try await sweep.checkedUploads(among: []).isEmpty)
    }

    @Test("what is older in the trash than the app keeps tombstones is not swept with them")
    func tombstones() async throws {
        let fixture = try await WorkerFixture.make()
        let (person, sweep) = (fixture.person, PostgresSweepStore(pool: try fixture.database.pool(.worker)))
        let entries = [person.text(), person.text()]
        for entry in entries { _ = try await fixture.entries.create(entry, by: person.member) }
        _ = try await fixture.entries.moveToTrash(entries[0].id, expecting: nil, days: 365, keyID: person.keyID, by: person.member)
        _ = try await fixture.entries.delete(entries[1].id, expecting: nil, keyID: person.keyID, by: person.member)
        try await fixture.database.change("update entries set deleted_at = now() - interval '91 days'")

        #expect(try await sweep.end(.tombstones, most: 10) == 1)

        #expect(try await fixture.database.int("select count(*) from entries") == 1)
        guard
            case .restored = try await fixture.entries.restore(
                entries[0].id, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member)
        else { throw NotWhatWasExpected() }
    }

    @Test("pages of the trash are complete and in order, and a day that ends at another hour moves a restored entry too")
    func pages() async throws {
        let entries = (0..<3).map { _ in person.text(at: Date(timeIntervalSince1970: 1_780_000_000)) }
        for entry in entries {
            _ = try await store.create(entry, by: person.member)
            _ = try await move(entry.id)
        }

        let first = try await store.trash(before: nil, limit: 2, of: person.member)
        let last = try #require(first.entries.last)
        let position = ListPosition(at: try #require(last.facts.deletedAt), id: last.facts.id.uuid)
        let second = try await store.trash(before: position, limit: 2, of: person.member)
        #expect((first.entries + second.entries).map(\.facts.id) == entries.reversed().map(\.id))
        #expect(first.more && !second.more)

        // 1_780_000_000 is at 22:26 in Berlin, so that a day which ends at 11:59 does not move it; a clock at 03:00 it does.
        try await fixture.database.change(
            "update entries set recorded_local = date_trunc('day', recorded_local) + interval '3 hours' where id = $1",
            .uuid(entries[0].id.uuid))
        let before = try await columns("local_date", of: entries[0].id)
        try await fixture.database.change("update users set day_ends_minute = 240 where id = $1", user)
        #expect(try await columns("local_date", of: entries[0].id) == before)
        let listed = try await store.trash(before: nil, limit: 9, of: person.member).entries
        let days = listed.reversed().map { $0.facts.day.description }
        #expect(try await columns("local_date - 1 = '\(days[0])'", of: entries[0].id) == "true")
        #expect(try await columns("local_date = '\(days[1])'", of: entries[1].id) == "true")
        #expect(try await feed(after: last.facts.changeNumber).map(\.facts.id) == [entries[2].id], "no new number")
        _ = try await restore(entries[0].id)
        #expect(try await columns("local_date = '\(before ?? "")'::date - 1", of: entries[0].id) == "true")
    }
}
