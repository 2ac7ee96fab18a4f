import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// Rows G5 and B15: the tombstone, what it stops, and the steps of a deletion.
@Suite("Erasure", .serialized, .timeLimit(.minutes(3)))
struct ErasureStoreTests {
    private struct Fixture {
        let worker: WorkerFixture
        let erasures: PostgresErasureStore
        let deletions: PostgresDeletionStore
        let sweep: PostgresSweepStore

        static func make(in database: MigratedDatabase? = nil) async throws -> Fixture {
            let worker = if let database { try await WorkerFixture.make(in: database) } else { try await WorkerFixture.make() }
            return Fixture(
                worker: worker, erasures: PostgresErasureStore(pool: try worker.database.pool(.api)),
                deletions: PostgresDeletionStore(pool: try worker.database.pool(.worker)),
                sweep: PostgresSweepStore(pool: try worker.database.pool(.worker)))
        }

        func request(proved: Bool = true, receipt: [UInt8] = SecureRandom.bytes(32)) async throws(DiaryError) -> Date? {
            try await erasures.request(
                NewDeletion(id: DeletionID(UUIDv7.make()), receiptHash: receipt, subjectSealed: [1, 2], uploadSeconds: 60), proved: proved,
                by: worker.person.member, origin: RequestOrigin(requestID: "request"))
        }

        func abandoned() async throws -> [Owner] { try await sweep.signUps(after: nil, limit: 10).filter(\.isAbandoned).map(\.owner) }

        func count(_ table: String, _ condition: String = "true") async throws -> Int64 {
            try await worker.database.int("select count(*) from \(table) where \(condition)")
        }
    }

    @Test("without a proof nothing happens; a fresh session is one, an old one is not")
    func proof() async throws {
        let fixture = try await Fixture.make()
        try await fixture.worker.database.change("update sessions set proved_at = clock_timestamp() - interval '11 minutes'")
        let before = try await fixture.worker.dump()

        #expect(try await fixture.request(proved: false) == nil)
        #expect(try await fixture.worker.dump() == before)
        #expect(try await fixture.count("deletions") == 0)

        try await fixture.worker.database.change("update sessions set proved_at = clock_timestamp() - interval '9 minutes'")
        #expect(try await fixture.request(proved: false) != nil)
    }

    @Test("B15: the tombstone ends sessions, jobs and addresses in one transaction, and of 20 requests at once one makes a deletion")
    func tombstone() async throws {
        let fixture = try await Fixture.make()
        let worker = fixture.worker
        try await worker.ready(.verify)
        let running = try await worker.claim(.verify)
        try await worker.ready(.export)

        let outcomes = try await parallel(20) { _ in await refusal { () throws(DiaryError) in try await fixture.request() }?.code }

        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.compactMap { $0 }.allSatisfy { $0 == .unauthorized })
        #expect(try await fixture.count("deletions") == 1)
        #expect(try await fixture.count("sessions", "revoked_at is null") == 0)
        #expect(try await fixture.count("identities") == 0)
        #expect(try await fixture.count("jobs", "state in ('ready', 'leased', 'dead')") == 0)
        #expect(try await fixture.count("audit_events", "kind = 'erasure_requested' and actor = 'member' and request_id = 'request'") == 1)
        #expect(try await worker.queue.renew([running], leaseSeconds: 60).isEmpty)
        #expect(
            await refusal { () throws(DiaryError) in try await worker.entries.entry(EntryID(UUID()), of: worker.person.member) }?.code
                == .unauthorized)
    }

    @Test("G5: after the tombstone a worker writes nothing: no result, no retry, no dead letter", arguments: JobCatalogue.diary.kinds)
    func lateWorkers(kind: JobKind) async throws {
        let fixture = try await Fixture.make()
        try await fixture.worker.ready(kind)
        let job = try await fixture.worker.claim(kind)
        try await fixture.worker.begin(job)

        _ = try await fixture.request()
        let before = try await fixture.worker.dump()

        #expect(await refusal { () throws(WorkError) in try await fixture.worker.finish(job) } == .ownerGone)
        #expect(await refusal { () throws(WorkError) in try await fixture.worker.begin(job) } == .ownerGone)
        #expect(
            await refusal { () throws(WorkError) in try await fixture.worker.queue.retry(job, code: .unexpected, afterSeconds: 1) }
                == .ownerGone)
        #expect(await refusal { () throws(WorkError) in try await fixture.worker.queue.discard(job, code: .unexpected) } == .ownerGone)
        #expect(try await fixture.worker.queue.rescue(limit: 10, maxCrashes: 1).isEmpty)
        #expect(try await fixture.worker.dump() == before)
    }

    @Test("G5: a result and the tombstone at once, 20 times: all writes come before the tombstone, none after")
    func races() async throws {
        let database = try await MigratedDatabase.make()
        for _ in 0..<20 {
            let fixture = try await Fixture.make(in: database)
            try await fixture.worker.ready(.verify)
            let job = try await fixture.worker.claim(.verify)

            let outcomes = try await parallel(2) { side in
                if side == 0 { return await refusal { () throws(WorkError) in try await fixture.worker.finish(job) } == nil }
                return try await fixture.request() != nil
            }

            #expect(outcomes.contains(true))
            #expect(try await fixture.count("jobs", "state in ('ready', 'leased')") == 0)
            let deletion = try #require(try await fixture.deletions.claim(limit: 1, besides: [], leaseSeconds: 60).first)
            while try await fixture.deletions.eraseBatch(deletion, of: fixture.worker.person.owner, most: 10, leaseSeconds: 60) > 0 {}
            _ = try await fixture.deletions.eraseMember(deletion, of: fixture.worker.person.owner)
            let left = try await fixture.worker.dump()
            #expect(left.hashes.allSatisfy { $0.value.hasPrefix("0 ") })
        }
    }

    @Test("G5: large sets of an account's rows are deleted in batches, each row counted once")
    func batches() async throws {
        let fixture = try await Fixture.make()
        let owner = fixture.worker.person.owner
        for table in [
            """
            sessions (tenant_id, user_id, id, expires_at, idle_expires_at, refresh_number, refresh_hash, revoked_at)
                select $1, $2, gen_random_uuid(), now(), now(), 1, '', now() from generate_series(1, 24)
            """,
            "audit_events (tenant_id, user_id, kind, actor) select $1, $2, 'signed_in', 'member' from generate_series(1, 35)",
            "mails (tenant_id, user_id, id, kind, payload, key_id) select $1, $2, gen_random_uuid(), 'sign_in_code', '', $1 from generate_series(1, 13)",
            "jobs (id, tenant_id, user_id, kind, subject, state, finished_at) select gen_random_uuid(), $1, $2, 'mail', $1, 'done', now() from generate_series(1, 7)",
        ] {
            try await fixture.worker.database.change("insert into \(table)", .uuid(owner.tenant.uuid), .uuid(owner.user.uuid))
        }
        let receipt = SecureRandom.bytes(32)
        _ = try await fixture.request(receipt: receipt)
        let events = try await fixture.count("audit_events")
        let deletion = try #require(try await fixture.deletions.claim(limit: 1, besides: [], leaseSeconds: 60).first)

        var gone: [Int] = []
        repeat { gone.append(try await fixture.deletions.eraseBatch(deletion, of: owner, most: 10, leaseSeconds: 60)) } while gone.last != 0

        #expect(gone == [10, 10, 10, Int(events) - 30, 0])
        for table in ["sessions", "audit_events", "mails", "jobs", "entries", "idempotency_keys"] {
            #expect(try await fixture.count(table) == 0)
        }
        #expect(try await fixture.deletions.eraseMember(deletion, of: owner) == 25)
        #expect(try await fixture.count("deletions", "sessions = 25 and mails = 13 and erased_at is not null") == 1)
    }

    @Test("a sign-up unconfirmed for a week becomes a deletion, once; a young one, a confirmed one and one with a valid code do not")
    func abandoned() async throws {
        let fixture = try await Fixture.make()
        let owner = fixture.worker.person.owner
        let database = fixture.worker.database
        @Sendable func deletion() -> NewDeletion {
            NewDeletion(
                id: DeletionID(UUIDv7.make()), receiptHash: SecureRandom.bytes(32), subjectSealed: SecureRandom.bytes(4), uploadSeconds: 0)
        }
        let steps = [
            "update users set created_at = created_at - interval '8 days'",
            "update identities set verified_at = null",
            "update users set created_at = created_at + interval '2 days'",
            """
            insert into email_codes (id, tenant_id, user_id, purpose, code_hash, registration_hash, password_phc, expires_at)
                select gen_random_uuid(), tenant_id, id, 'verify', '', '', 'phc', clock_timestamp() + interval '1 minute' from users
            """,
        ]
        try await database.change(steps[0])
        #expect(try await fixture.abandoned().isEmpty, "it is confirmed")
        #expect(try await fixture.sweep.requestErasure(ofSignUp: owner, deletion()) == false)
        try await database.change(steps[1])
        try await database.change(steps[2])
        #expect(try await fixture.abandoned().isEmpty, "it is six days old")
        try await database.change(steps[0])
        try await database.change(steps[3])
        #expect(try await fixture.abandoned().isEmpty, "a code still lives")
        #expect(try await fixture.sweep.requestErasure(ofSignUp: owner, deletion()) == false)
        try await database.change("delete from email_codes")

        #expect(try await fixture.abandoned() == [owner])
        let outcomes = try await parallel(10) { _ in try await fixture.sweep.requestErasure(ofSignUp: owner, deletion()) }

        #expect(outcomes.count { $0 } == 1)
        #expect(try await fixture.count("deletions") == 1)
        #expect(try await fixture.count("identities") == 0)
        #expect(try await fixture.count("audit_events", "kind = 'erasure_requested' and actor = 'service'") == 1)
        #expect(try await fixture.abandoned().isEmpty)
        // A requested deletion comes first, however long the other waits.
        _ = try await Fixture.make(in: database).request()
        #expect(try await fixture.deletions.claim(limit: 1, besides: [], leaseSeconds: 60).first?.subjectSealed == [1, 2])
        #expect(try await fixture.deletions.claim(limit: 5, besides: [], leaseSeconds: 60).count == 1)
    }

    @Test("a deletion is carried out step by step, counts add up, each step may be repeated, and its row names no user at the end")
    func carriedOut() async throws {
        let fixture = try await Fixture.make()
        let worker = fixture.worker
        let owner = worker.person.owner
        for _ in 0..<5 { _ = try await worker.entries.create(worker.person.voice(), by: worker.person.member) }
        try await worker.ready(.export)
        let receipt = SecureRandom.bytes(32)
        _ = try await fixture.request(receipt: receipt)
        #expect(try await fixture.erasures.deletion(receiptHash: [0]) == nil)

        let deletion = try #require(try await fixture.deletions.claim(limit: 5, besides: [], leaseSeconds: 60).first)
        #expect(try await fixture.deletions.claim(limit: 5, besides: [], leaseSeconds: 60).isEmpty, "it is leased")
        for _ in 0..<2 { try await fixture.deletions.noteKeyDestroyed(deletion, leaseSeconds: 60) }
        try await fixture.deletions.noteObjects(deletion, found: 4, leaseSeconds: 60)
        // A worker that died half way counted fewer.
        try await fixture.deletions.noteObjects(deletion, found: 1, leaseSeconds: 60)
        #expect(try await fixture.deletions.eraseBatch(deletion, of: owner, most: 3, leaseSeconds: 60) == 3)
        #expect(try await fixture.deletions.eraseBatch(deletion, of: owner, most: 3, leaseSeconds: 60) == 2)
        for _ in 0..<2 { _ = try await fixture.deletions.eraseMember(deletion, of: owner) }
        try await fixture.deletions.finishPass(deletion, lateObjects: 1)

        var seen = try #require(try await fixture.erasures.deletion(receiptHash: receipt))
        #expect((seen.counts.entries, seen.counts.objects, seen.counts.exports, seen.counts.sessions, seen.counts.keys) == (5, 5, 1, 1, 1))
        #expect(seen.keyDestroyedAt != nil && seen.erasedAt != nil && seen.sweptAt == nil)
        #expect(try await fixture.deletions.claim(limit: 5, besides: [], leaseSeconds: 60).isEmpty, "the next look comes later")
        try await worker.database.change("update deletions set run_at = clock_timestamp(), sweep_until = clock_timestamp()")
        #expect(try await fixture.deletions.claim(limit: 5, besides: [deletion.id], leaseSeconds: 60).isEmpty, "it is carried out here")
        let again = try #require(try await fixture.deletions.claim(limit: 5, besides: [], leaseSeconds: 60).first)
        #expect(again.isErased && again.isKeyDestroyed && again.attempt == 2)
        #expect(await refusal { () throws(WorkError) in try await fixture.deletions.finishPass(deletion, lateObjects: 9) } == .leaseLost)
        try await fixture.deletions.finishPass(again, lateObjects: 0)
        seen = try #require(try await fixture.erasures.deletion(receiptHash: receipt))
        #expect(seen.sweptAt != nil && seen.counts.objects == 5)
        #expect(try await fixture.count("deletions", "subject_sealed is not null") == 0)

        #expect(try await fixture.sweep.end(.deletions, most: 10) == 0)
        #expect(try await fixture.count("deletions") == 1)
        try await worker.database.change("update deletions set erased_at = erased_at - interval '31 days'")
        #expect(try await fixture.sweep.end(.deletions, most: 10) == 1)
        #expect(try await fixture.count("deletions") == 0)
    }

    @Test("an account without a tombstone is not erased, and a dead worker's deletion is taken over")
    func guarded() async throws {
        let fixture = try await Fixture.make()
        _ = try await fixture.request()
        let deletion = try #require(try await fixture.deletions.claim(limit: 1, besides: [], leaseSeconds: 0).first)
        let living = try await Person.make(in: fixture.worker.database)

        #expect(
            await refusal { () throws(WorkError) in
                try await fixture.deletions.eraseBatch(deletion, of: living.owner, most: 1, leaseSeconds: 60)
            } == .ownerGone)
        #expect(await refusal { () throws(WorkError) in try await fixture.deletions.eraseMember(deletion, of: living.owner) } == .ownerGone)
        #expect(try await fixture.count("users", "deleted_at is null") == 1)
        let taken = try #require(try await fixture.deletions.claim(limit: 1, besides: [], leaseSeconds: 60).first)
        #expect(taken.id == deletion.id && taken.attempt == 2)
        #expect(
            await refusal { () throws(WorkError) in try await fixture.deletions.noteKeyDestroyed(deletion, leaseSeconds: 60) } == .leaseLost
        )
        try await fixture.deletions.postpone(taken, seconds: 60)
        #expect(try await fixture.deletions.claim(limit: 1, besides: [], leaseSeconds: 60).isEmpty)
    }
}
