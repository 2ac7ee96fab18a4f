import DiaryCore
import DiaryCrypto
import Foundation
import PostgresClient
import TestSupport
import Testing

@testable import DiaryDatabase

@Suite("Exports in parts", .timeLimit(.minutes(2)))
struct ExportPartStoreTests {
    /// A begun export, and the job that builds it.
    private static func begun() async throws -> (fixture: WorkerFixture, id: ExportID, job: LeasedJob) {
        let fixture = try await WorkerFixture.make()
        let id = ExportID(try await fixture.ready(.export))
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)
        return (fixture, id, job)
    }

    private static func finish(_ job: LeasedJob, in fixture: WorkerFixture) async throws(WorkError) -> JobKind? {
        try await fixture.builds.finishExport(
            job, keyID: fixture.person.keyID, size: 30, entryCount: 6, changesUpto: 1,
            expiresAt: Date(timeIntervalSinceNow: 3_600), kept: nil,
            mail: fixture.person.mail(.exportReady, subject: job.subject))
    }

    /// Ready, in parts of 10 and 20 bytes.
    private static func ready() async throws -> (fixture: WorkerFixture, id: ExportID, parts: [UUID]) {
        let (fixture, id, job) = try await begun()
        let parts = [UUID(), UUID()]
        try await fixture.builds.saveCheckpoint(job, object: UUID(), keyID: fixture.person.keyID, entries: [2, 4])
        for (index, object) in parts.enumerated() {
            try await fixture.builds.finishPart(
                job, part: index + 1, entries: 2 * (index + 1), object: object, keyID: fixture.person.keyID, size: Int64(10 * (index + 1)))
        }
        #expect(try await finish(job, in: fixture) == .mail)
        return (fixture, id, parts)
    }

    @Test("what is kept for the next try is there for it; an export that is made ready again after it failed begins anew")
    func kept() async throws {
        let (fixture, id, job) = try await Self.begun()
        let (work, part, key) = (UUID(), UUID(), fixture.person.keyID)
        #expect(try await fixture.builds.checkpoint(of: id, of: fixture.person.owner) == nil)
        try await fixture.builds.saveCheckpoint(job, object: work, keyID: key, entries: [2, 4])
        try await fixture.builds.finishPart(job, part: 2, entries: 4, object: part, keyID: key, size: 20)
        try await fixture.expire(job)
        _ = try await fixture.queue.rescue(limit: 10, maxCrashes: 3)
        try await fixture.database.change("update jobs set run_at = clock_timestamp()")
        let next = try await fixture.claim(.export)
        try await fixture.begin(next)

        let found = try #require(try await fixture.builds.checkpoint(of: id, of: fixture.person.owner))

        #expect(found.object == work && found.parts.map(\.entryCount) == [2, 4])
        #expect(found.parts.map(\.object) == [nil, part] && found.parts.map(\.sizeBytes) == [nil, 20])
        // The first worker goes on: nothing that it writes is kept (decision D2).
        let late = UUID()
        #expect(
            await refusal { () throws(WorkError) in
                try await fixture.builds.finishPart(job, part: 1, entries: 2, object: late, keyID: key, size: 1)
            } == .leaseLost)
        #expect(
            await refusal { () throws(WorkError) in try await fixture.builds.saveCheckpoint(job, object: late, keyID: key, entries: [6]) }
                == .leaseLost)
        #expect(await refusal { () throws(WorkError) in _ = try await fixture.builds.discardCheckpoint(job) } == .leaseLost)
        #expect(
            try await fixture.builds.note(
                ExportProgress(entries: 1, entriesTotal: 6, bytes: 1, bytesTotal: 9, estimatedSeconds: 1), job) == false)

        try await fixture.database.change("update exports set status = 'queued'")
        try await fixture.begin(next)
        #expect(try await fixture.builds.checkpoint(of: id, of: fixture.person.owner) == nil)
        #expect(try await fixture.database.int("select count(*) from export_parts") == 0)
    }

    @Test("a snapshot that is given up names its objects, and the next one replaces it")
    func forgotten() async throws {
        let (fixture, id, job) = try await Self.begun()
        let (work, part, key) = (UUID(), UUID(), fixture.person.keyID)
        try await fixture.builds.saveCheckpoint(job, object: work, keyID: key, entries: [2, 4])
        try await fixture.builds.finishPart(job, part: 1, entries: 2, object: part, keyID: key, size: 20)

        #expect(Set(try await fixture.builds.discardCheckpoint(job)) == [work, part])
        #expect(try await fixture.builds.checkpoint(of: id, of: fixture.person.owner) == nil)
        try await fixture.builds.saveCheckpoint(job, object: UUID(), keyID: key, entries: [1, 2, 3])
        #expect(try await fixture.builds.checkpoint(of: id, of: fixture.person.owner)?.parts.count == 3)
    }

    @Test("a single part, of which nothing is kept for the next try, is that of the last try's snapshot")
    func single() async throws {
        let (fixture, id, job) = try await Self.begun()
        let (key, last) = (fixture.person.keyID, UUID())
        try await fixture.builds.finishPart(job, part: 1, entries: 3, object: UUID(), keyID: key, size: 10)
        #expect(try await fixture.builds.checkpoint(of: id, of: fixture.person.owner) == nil)
        try await fixture.builds.finishPart(job, part: 1, entries: 6, object: last, keyID: key, size: 30)

        #expect(try await Self.finish(job, in: fixture) == .mail)
        let shown = try #require(try await fixture.exports.export(id, of: fixture.person.member))
        #expect(shown.parts == [ExportPart(number: 1, object: last, sizeBytes: 30, entryCount: 6, downloads: 0)])
    }

    @Test("progress shows while it is built, and not after; a revoked export is told, and takes no part")
    func progress() async throws {
        let (fixture, id, job) = try await Self.begun()
        let progress = ExportProgress(entries: 3, entriesTotal: 6, bytes: 10, bytesTotal: 40, estimatedSeconds: 7)
        func shown() async throws -> ExportProgress? { try await fixture.exports.export(id, of: fixture.person.member)?.progress }
        #expect(try await shown() == nil)

        #expect(try await fixture.builds.note(progress, job))
        #expect(try await shown() == progress && progress.percent == 25)

        try await fixture.builds.saveCheckpoint(job, object: UUID(), keyID: fixture.person.keyID, entries: [2, 4])
        _ = try await fixture.exports.revoke(id, by: fixture.person.member)
        #expect(try await fixture.builds.note(progress, job) == false)
        #expect(
            await refusal { () throws(WorkError) in
                try await fixture.builds.finishPart(job, part: 1, entries: 2, object: UUID(), keyID: fixture.person.keyID, size: 1)
            } == .ownerGone)
        // The next try ends the job.
        #expect(await refusal { () throws(WorkError) in try await fixture.begin(job) } == .ownerGone)
        #expect(try await fixture.state(job)?.hasPrefix("done") == true)
    }

    @Test(
        "a finished export lists its parts; each has its downloads by the link, of 20 parallel ones so many are counted, and its owner has more (E3)"
    )
    func downloads() async throws {
        let (fixture, id, parts) = try await Self.ready()
        let owner = fixture.person.owner
        let shown = try #require(try await fixture.exports.export(id, of: fixture.person.member))
        #expect(shown.progress == nil && shown.status == .ready)
        #expect(shown.parts.map(\.object) == parts && shown.parts.map(\.sizeBytes) == [10, 20] && shown.parts.map(\.entryCount) == [2, 4])
        #expect(shown.entryCount == 6)
        #expect(shown.filename(of: 2) == "diary_\(shown.from)_\(shown.to)_part2of2.zip")

        let taken = try await parallel(20) { _ in
            try await fixture.exports.takeDownload(id, part: 2, of: owner, requestID: nil)?.parts.last?.downloads
        }

        #expect(taken.compactMap { $0 }.sorted() == Array(1...shown.maxDownloads))
        #expect(try await fixture.exports.linkedExport(id, of: owner)?.downloads == shown.maxDownloads)
        #expect(
            try await fixture.exports.takeDownload(id, part: 1, of: owner, requestID: nil)?.parts.map(\.downloads) == [
                1, shown.maxDownloads,
            ])
        for part in [nil, 0, 3] as [Int?] {
            #expect(try await fixture.exports.takeDownload(id, part: part, of: owner, requestID: nil) == nil)
        }
        let own = try #require(try await fixture.exports.takeOwnDownload(id, part: 2, by: fixture.person.member, requestID: nil))
        #expect(own.taken && own.export.downloads == shown.maxDownloads + 1)
        #expect(try await fixture.exports.takeOwnDownload(id, part: nil, by: fixture.person.member, requestID: nil)?.taken == false)
        #expect(
            try await fixture.database.int("select count(*) from audit_events where kind = 'export_downloaded'")
                == Int64(shown.maxDownloads + 2))
    }

    @Test(
        "objects of an export in parts are named while it lives; when it has ended the sweeper finds each once, and what its building kept at once"
    )
    func swept() async throws {
        let (fixture, id, parts) = try await Self.ready()
        let (owner, store) = (fixture.person.owner, PostgresSweepStore(pool: try fixture.database.pool(.worker)))
        let kept = try await fixture.database.text("select work_object_id::text from exports")
        let work = try #require(kept.flatMap { UUID(uuidString: $0) })
        func ended() async throws -> [UUID] { try await store.ended(.exportParts, limit: 10).map(\.object) }
        func forget(_ object: UUID) async throws {
            try await store.forget(EndedObject(owner: owner, id: id.uuid, object: object, keys: []), of: .exportParts)
        }
        func orphans() async throws -> [UUID] {
            try await store.orphans(
                among: (parts + [work]).map { ObjectKey(kind: .export, tenant: owner.tenant, user: owner.user, object: $0) }
            ).map(\.object)
        }
        #expect(try await orphans() == [])
        #expect(try await ended() == [work])
        try await forget(work)
        #expect(try await ended() == [])
        #expect(try await orphans() == [work])

        _ = try await fixture.exports.revoke(id, by: fixture.person.member)

        #expect(Set(try await ended()) == Set(parts))
        try await forget(parts[0])
        #expect(try await ended() == [parts[1]])
        #expect(try await orphans() == [parts[0], work])
        #expect(try await fixture.exports.export(id, of: fixture.person.member)?.parts.map(\.object) == [nil, parts[1]])
    }

    @Test("the check of objects knows the zips of all exports and what is kept while one is built, page by page")
    func named() async throws {
        let (fixture, id, parts) = try await Self.ready()
        let check = PostgresRestoreCheck(main: try fixture.database.pool(.backup), keys: try fixture.database.pool(.backup))
        func zips() async throws -> [UUID] {
            var (found, after): ([UUID], NamedObject?) = ([], nil)
            while let next = try await check.zips(after: after, limit: 1).first {
                #expect(next.id == id.uuid)
                found.append(next.object)
                after = next
            }
            return found
        }
        #expect(Set(try await zips()) == Set(parts))
        try await fixture.database.change("update exports set status = 'building'")
        #expect(try await zips().count == 3)
        try await fixture.database.change("update exports set revoked_at = clock_timestamp(), revoked_reason = 'owner'")
        #expect(try await zips() == [])
    }
}
