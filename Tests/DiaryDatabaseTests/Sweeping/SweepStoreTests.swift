import DiaryCore
import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryDatabase

@Suite("Sweep store", .serialized, .timeLimit(.minutes(2)))
struct SweepStoreTests {
    private static func make() async throws -> (WorkerFixture, PostgresSweepStore) {
        let fixture = try await WorkerFixture.make()
        return (fixture, PostgresSweepStore(pool: try fixture.database.pool(.worker)))
    }

    @Test("uploads without a complete are found by age; of 20 parallel sweeps one completes, and an app's own complete is not doubled")
    func uploads() async throws {
        let (fixture, store) = try await Self.make()
        let entry = fixture.person.voice()
        _ = try await fixture.entries.create(entry, by: fixture.person.member)
        #expect(try await store.awaitingUploads(olderThanSeconds: 3_600, after: nil, limit: 10).isEmpty)
        let upload = try #require(try await store.awaitingUploads(olderThanSeconds: 0, after: nil, limit: 10).first)
        #expect(upload.entry == entry.id && upload.owner == fixture.person.owner && upload.object == entry.object && upload.size == 1_000)

        _ = try await parallel(20) { number in
            if number % 2 == 0 {
                try await store.completeUpload(upload, size: 999, job: NewJob(.verify))
            } else {
                _ = try await fixture.entries.completeUpload(
                    entry.id, size: 999, keyID: fixture.person.keyID, job: NewJob(.verify), by: fixture.person.member)
            }
        }

        #expect(try await fixture.database.int("select count(*) from jobs") == 1)
        #expect(try await store.awaitingUploads(olderThanSeconds: 0, after: nil, limit: 10).isEmpty)
        #expect(try await store.abandonUpload(upload, at: .distantFuture, arrivedBefore: .now, object: nil) == false)
        #expect(try await fixture.entries.entry(entry.id, of: fixture.person.member)?.facts.status == .uploaded)
    }

    @Test("D7: pages of waiting uploads follow each other by time and id, each upload once, also those of one moment")
    func pages() async throws {
        let (fixture, store) = try await Self.make()
        for _ in 0..<7 { _ = try await fixture.entries.create(fixture.person.voice(), by: fixture.person.member) }
        try await fixture.database.change(
            "update entries set created_at = (select max(created_at) from entries) - interval '1 hour' where change_number > 2")

        var seen: [AwaitingUpload] = []
        var after: UploadPlace?
        while let last = try await store.awaitingUploads(olderThanSeconds: 0, after: after, limit: 2).appended(to: &seen) {
            after = (last.createdAt, last.entry)
            try #require(seen.count <= 7)
        }

        #expect(Set(seen.map(\.entry)).count == 7)
        #expect(seen.map(\.createdAt) == seen.map(\.createdAt).sorted())
    }

    @Test("an entry that waits without a job is found and gets the job of its stage once, however many sweep; others are left as they are")
    func stranded() async throws {
        let (fixture, store) = try await Self.make()
        _ = try await fixture.ready(.verify)
        let entry = EntryID(try await fixture.ready(.clean))
        #expect(try await store.stranded(olderThanSeconds: 0, limit: 10).isEmpty)
        try await fixture.database.change("update jobs set state = 'done', finished_at = now() where subject = $1", .uuid(entry.uuid))
        #expect(try await store.stranded(olderThanSeconds: 3_600, limit: 10).isEmpty)

        let found = try await store.stranded(olderThanSeconds: 0, limit: 10)
        #expect(found == [StrandedEntry(owner: fixture.person.owner, entry: entry, kind: .clean)])
        let mended = try await parallel(8) { _ in try await store.mend(found[0], job: JobID(UUIDv7.make())) }

        #expect(mended.filter { $0 }.count == 1)
        #expect(try await fixture.living(.clean, entry.uuid) == 1)
        #expect(try await store.stranded(olderThanSeconds: 0, limit: 10).isEmpty)
        try await fixture.finish(try await fixture.claim(.clean))
        try await fixture.finishStages(after: .clean, version: WorkerFixture.version(after: .clean))
        #expect(try await fixture.entries.entry(entry, of: fixture.person.member)?.facts.status == .transcribed)
        #expect(try await store.mend(found[0], job: JobID(UUIDv7.make())) == false)
    }

    @Test("D2: in staging a recording is wanted until it is verified and after a failure there, elsewhere as long as its entry lives")
    func staging() async throws {
        let (fixture, store) = try await Self.make()
        let entry = fixture.person.voice()
        _ = try await fixture.entries.create(entry, by: fixture.person.member)
        let object = try #require(entry.object)
        let owner = fixture.person.owner
        let keys = [ObjectKey.Kind.staging, .audio, .export].map {
            ObjectKey(kind: $0, tenant: owner.tenant, user: owner.user, object: object)
        }
        let cases: [(status: EntryStatus, stage: JobKind?, code: ProcessingCode?, isWanted: Bool)] = [
            (.awaitingUpload, nil, nil, true), (.uploaded, .verify, nil, true), (.uploaded, .transcribe, nil, true),
            (.transcribing, .transcribe, nil, false), (.cleaning, .clean, nil, false), (.transcribed, nil, nil, false),
            (.failed, .verify, nil, true), (.failed, .verify, .mediaUnreadable, true), (.failed, .verify, .uploadExpired, true),
            (.failed, .transcribe, .unexpected, false),
        ]

        for (status, stage, code, isWanted) in cases {
            try await fixture.database.change(
                "update entries set status = $2, stage = $3, stage_code = $4 where id = $1", .uuid(entry.id.uuid), .text(status.rawValue),
                .text(stage?.rawValue), .text(code?.rawValue))
            #expect(try await store.orphans(among: keys) == (isWanted ? [keys[2]] : [keys[0], keys[2]]), "\(status) \(code as Any)")
        }
    }

    @Test("D7: the holder of an upload URL learns whether its entry waits, has moved on, or is gone; another user's object counts as gone")
    func uploadState() async throws {
        let (fixture, _) = try await Self.make()
        let entry = fixture.person.voice()
        _ = try await fixture.entries.create(entry, by: fixture.person.member)
        let object = try #require(entry.object)
        let owner = fixture.person.owner
        #expect(try await fixture.entries.uploadState(object, of: owner) == .awaiting)
        #expect(try await fixture.entries.uploadState(UUID(), of: owner) == .gone)
        #expect(try await fixture.entries.uploadState(object, of: Owner(tenant: owner.tenant, user: UserID(UUID()))) == .gone)

        _ = try await fixture.entries.completeUpload(
            entry.id, size: 1_000, keyID: fixture.person.keyID, job: NewJob(.verify), by: fixture.person.member)
        #expect(try await fixture.entries.uploadState(object, of: owner) == .finished)
        #expect(try await fixture.entries.uploadArrived(object, of: owner))

        _ = try await fixture.entries.delete(entry.id, expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)
        #expect(try await fixture.entries.uploadState(object, of: owner) == .gone)
    }

    /// As a sweeper does long after the end of the window.
    private static func expire(
        _ upload: AwaitingUpload, in store: PostgresSweepStore, arrivedBefore: Date = .now.addingTimeInterval(-60)
    ) async throws -> Bool {
        try await store.abandonUpload(upload, at: .distantFuture, arrivedBefore: arrivedBefore, object: nil)
    }

    /// An upload that waits, and its object.
    private static func awaited() async throws -> (fixture: WorkerFixture, store: PostgresSweepStore, upload: AwaitingUpload) {
        let (fixture, store) = try await make()
        _ = try await fixture.entries.create(fixture.person.voice(), by: fixture.person.member)
        return (fixture, store, try #require(try await store.awaitingUploads(olderThanSeconds: 0, after: nil, limit: 10).first))
    }

    @Test(
        "D7: an upload that has arrived does not expire unless it was lost long ago; one that arrives after the expiry makes the entry wait again"
    )
    func arrived() async throws {
        let (fixture, store, upload) = try await Self.awaited()
        let owner = fixture.person.owner

        #expect(try await fixture.entries.uploadArrived(UUID(), of: owner) == false)
        #expect(try await fixture.entries.uploadArrived(upload.object, of: owner))
        #expect(try await Self.expire(upload, in: store) == false)
        #expect(try await fixture.entries.uploadState(upload.object, of: owner) == .awaiting)

        #expect(try await Self.expire(upload, in: store, arrivedBefore: .now.addingTimeInterval(60)))
        #expect(try await fixture.entries.uploadState(upload.object, of: owner) == .gone)
        #expect(try await fixture.entries.uploadArrived(upload.object, of: owner))
        let facts = try #require(try await fixture.entries.entry(upload.entry, of: fixture.person.member)?.facts)
        #expect(facts.status == .awaitingUpload && facts.processing == nil && facts.changeNumber == 4)
        #expect(try await Self.expire(upload, in: store) == false)
    }

    @Test(
        "an upload that arrives while its app is suspended or its account disabled is kept; one while its account is erased is not (C5)",
        arguments: [
            ("update tenants set suspended_at = now()", true), ("update users set disabled_at = now()", true),
            ("update users set deleted_at = now()", false),
        ])
    func closed(change: String, isWanted: Bool) async throws {
        let (fixture, store, upload) = try await Self.awaited()
        try await fixture.database.change(change)

        #expect(try await fixture.entries.uploadState(upload.object, of: fixture.person.owner) == .gone)
        #expect(try await fixture.entries.uploadArrived(upload.object, of: fixture.person.owner) == isWanted)
        if isWanted { #expect(try await Self.expire(upload, in: store) == false) }
    }

    @Test("D7: of an arrival and an expiry at the same moment the second sees the first", arguments: [true, false])
    func sameMoment(arrivalFirst: Bool) async throws {
        let (fixture, store, upload) = try await Self.awaited()
        let holder = try DedicatedConnection(fixture.database.settings(.superuser), logger: .quiet)
        defer { holder.close() }
        _ = try await holder.run([Statement("begin")])
        let first = arrivalFirst ? "uploaded_at = clock_timestamp()" : "status = 'failed', stage = 'verify', stage_code = 'upload_expired'"
        _ = try await holder.run([Statement("update entries set \(first)")])

        async let second =
            arrivalFirst
            ? Self.expire(upload, in: store)
            : fixture.entries.uploadArrived(upload.object, of: fixture.person.owner)
        let waiting = """
            select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update entries%'
            """
        try await fixture.someone(isCountedBy: waiting)
        #expect(try await fixture.database.int(waiting) == 1)
        _ = try await holder.run([Statement("commit")])

        #expect(try await second == !arrivalFirst)
        #expect(try await fixture.entries.uploadState(upload.object, of: fixture.person.owner) == .awaiting)
    }

    @Test("an upload that never came fails as expired, and shows in the feed")
    func abandoned() async throws {
        let (fixture, store) = try await Self.make()
        let entry = fixture.person.voice()
        _ = try await fixture.entries.create(entry, by: fixture.person.member)

        let upload = try #require(try await store.awaitingUploads(olderThanSeconds: 0, after: nil, limit: 10).first)
        #expect(try await Self.expire(upload, in: store))

        let facts = try #require(try await fixture.entries.entry(entry.id, of: fixture.person.member)?.facts)
        #expect(facts.status == .failed && facts.processing?.code == .uploadExpired && facts.processing?.action == .uploadAgain)
        #expect(facts.changeNumber == 2)
    }

    @Test("zips whose link has ended are found once, and objects that no row names are orphans, also a deleted entry's")
    func objects() async throws {
        let (fixture, store) = try await Self.make()
        let owner = fixture.person.owner
        let id = ExportID(try await fixture.ready(.export))
        try await fixture.finish(try await fixture.claim(.export))
        #expect(try await store.ended(.exportParts, limit: 10).isEmpty)
        let kept = fixture.person.voice()
        let gone = fixture.person.voice()
        for entry in [kept, gone] { _ = try await fixture.entries.create(entry, by: fixture.person.member) }
        _ = try await fixture.entries.delete(gone.id, expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)
        _ = try await fixture.exports.revoke(id, by: fixture.person.member)
        let ended = try #require(try await store.ended(.exportParts, limit: 10).first)
        func key(_ kind: ObjectKey.Kind, _ object: UUID?, _ user: UserID = owner.user) -> ObjectKey {
            ObjectKey(kind: kind, tenant: owner.tenant, user: user, object: object ?? UUID())
        }
        let keys = [
            key(.audio, kept.object), key(.audio, gone.object), key(.export, ended.object), key(.staging, nil),
            key(.audio, kept.object, UserID(UUID())),
        ]

        #expect(ended.id == id.uuid && ended.owner == owner && ended.keys == [keys[2]])
        // The last one has the first one's object id under another user, and changes nothing for the first.
        #expect(try await store.orphans(among: keys) == [keys[1], keys[3], keys[4]])
        try await store.forget(ended, of: .exportParts)
        #expect(try await store.ended(.exportParts, limit: 10).isEmpty)
        #expect(try await store.orphans(among: [keys[2]]) == [keys[2]])
    }

    @Test(
        "old bookkeeping is deleted, young and live rows stay; a feed position before a purged tombstone has expired, the purger's own has not"
    )
    func bookkeeping() async throws {
        let (fixture, store) = try await Self.make()
        for _ in 0..<2 { _ = try await SeedData.make(in: fixture.database) }
        let ids = (0..<4).map { _ in EntryID(UUIDv7.make()) }
        for id in ids { _ = try await fixture.entries.create(fixture.person.text(id), by: fixture.person.member) }
        _ = try await fixture.entries.delete(ids[0], expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)
        _ = try await fixture.entries.delete(ids[1], expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)
        #expect(try await store.sweepOld(most: 1) == false)
        try await fixture.database.change(
            "update entries set deleted_at = deleted_at - interval '91 days' where id = $1", .uuid(ids[0].uuid))
        try await fixture.database.change("update idempotency_keys set created_at = created_at - interval '49 hours'")
        try await fixture.database.change("update email_codes set expires_at = expires_at - interval '26 hours'")

        // Of each of the two others five codes, and a tombstone.
        #expect(try await store.sweepOld(most: 6))
        #expect(try await store.sweepOld(most: 6) == false)
        for table in ["email_codes", "idempotency_keys"] { #expect(try await fixture.database.int("select count(*) from \(table)") == 0) }

        #expect(try await fixture.database.int("select count(*) from entries where deleted_at is not null and trash_ends_at is null") == 1)
        func isExpired(_ number: Int64) async throws -> Bool {
            if case .expired = try await fixture.entries.changes(
                from: .after(changeNumber: number), limit: 10, of: fixture.person.member)
            {
                true
            } else {
                false
            }
        }
        #expect(try await isExpired(4))
        #expect(try await isExpired(5) == false)
        #expect(try await store.sweepOld(most: 1) == false)
    }
}

extension [AwaitingUpload] {
    /// - Returns: the last one.
    fileprivate func appended(to all: inout [AwaitingUpload]) -> AwaitingUpload? {
        all += self
        return last
    }
}
