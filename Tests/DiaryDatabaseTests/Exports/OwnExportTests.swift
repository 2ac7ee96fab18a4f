import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Exports of a signed-in owner (decision D20)", .timeLimit(.minutes(2)))
struct OwnExportTests {
    private func mails(_ fixture: WorkerFixture) async throws -> Int64 {
        try await fixture.database.int("select count(*) from mails where kind = 'export_ready'")
    }

    private func built(_ fixture: WorkerFixture, mail: Bool? = nil) async throws -> ExportID {
        let export = try fixture.person.export(request: SecureRandom.bytes(8), mail: mail)
        _ = try await fixture.exports.create(export, by: fixture.person.member)
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)
        try await fixture.finish(job)
        return export.id
    }

    private func shown(_ fixture: WorkerFixture, _ id: ExportID) async throws -> Export {
        try #require(try await fixture.exports.export(id, of: fixture.person.member))
    }

    @Test("an export without a mail is built and not mailed, also for an account without a verified address")
    func withoutMail() async throws {
        let fixture = try await WorkerFixture.make()
        let unproved = try await WorkerFixture.make(
            in: fixture.database, person: try await Person.make(in: fixture.database, verified: false))
        for (scene, mail) in [(fixture, false), (unproved, false), (unproved, nil)] as [(WorkerFixture, Bool?)] {
            let id = try await built(scene, mail: mail)
            let export = try await shown(scene, id)
            #expect(export.status == .ready && export.mailStatus == .notAsked)
            #expect(try await scene.exports.linkedExport(id, of: scene.person.owner) != nil)
        }
        #expect(try await mails(fixture) == 0)
        #expect(try await fixture.database.int("select count(*) from jobs where kind = 'mail'") == 0)
        #expect(try await shown(fixture, try await built(fixture)).mailStatus == .waiting)
    }

    @Test("the owner's downloads are counted and noted, are not limited by the mailed link's number, and use it up")
    func downloads() async throws {
        let fixture = try await WorkerFixture.make()
        let (person, id) = (fixture.person, try await built(fixture))

        for number in 1...4 {
            let taken = try #require(try await fixture.exports.takeOwnDownload(id, part: nil, by: person.member, requestID: "r-\(number)"))
            #expect(taken.taken && taken.export.downloads == number && taken.export.maxDownloads == 2)
        }

        #expect(try await fixture.exports.takeDownload(id, part: nil, of: person.owner, requestID: nil) == nil)
        let events = try await PostgresProfileStore(pool: try fixture.database.pool(.api)).events(
            nil, before: nil, limit: 9, of: person.member)
        #expect(events.filter { $0.kind == .exportDownloaded }.map(\.requestID) == ["r-4", "r-3", "r-2", "r-1"])
        #expect(events.filter { $0.kind == .exportDownloaded }.allSatisfy { $0.actor == .member && $0.session == person.member.session })
        #expect(try await fixture.exports.takeOwnDownload(ExportID(UUID()), part: nil, by: person.member, requestID: nil) == nil)
    }

    @Test("what is not built, has failed, is revoked or has expired is not downloaded, counted or mailed, and its status says which")
    func ended() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let queued = ExportID(try await fixture.ready(.export))
        func refused(_ id: ExportID) async throws -> ExportStatus {
            let taken = try #require(try await fixture.exports.takeOwnDownload(id, part: nil, by: person.member, requestID: nil))
            #expect(!taken.taken && taken.export.downloads == 0)
            return taken.export.status
        }
        #expect(try await refused(queued) == .queued)
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)
        #expect(try await refused(queued) == .building)
        try await fixture.database.change("update exports set status = 'failed'")
        #expect(try await refused(queued) == .failed)
        #expect(try await fixture.exports.mail(person.again(queued), by: person.member)?.isQueued == false)
        try await fixture.finish(job)
        try await fixture.database.change("update exports set expires_at = clock_timestamp()")
        #expect(try await refused(queued) == .expired)
        #expect(try await fixture.exports.mail(person.again(queued), by: person.member)?.isQueued == false)
        #expect(try await fixture.exports.revoke(queued, by: person.member))
        #expect(try await refused(queued) == .revoked)
        #expect(try await fixture.exports.mail(person.again(queued), by: person.member)?.isQueued == false)
        for (status, found) in [(nil, [.revoked]), (.revoked, [.revoked]), (.ready, []), (.expired, [])]
            as [(ExportStatus?, [ExportStatus])]
        {
            let exports = try await fixture.exports.exports(before: nil, limit: 9, schedule: nil, status: status, of: person.member)
            #expect(exports.map(\.status) == found)
        }
        #expect(try await mails(fixture) == 1)
    }

    @Test("of 20 parallel requests for another mail one is queued, with the link's address of that moment; after it is sent, one more")
    func again() async throws {
        let fixture = try await WorkerFixture.make()
        let (person, id) = (fixture.person, try await built(fixture))
        _ = try await fixture.mails.beginMail(try await fixture.claim(.mail))
        try await fixture.database.change("update jobs set state = 'done', lease_until = null, finished_at = now() where kind = 'mail'")
        try await fixture.database.change("update mails set status = 'failed'")
        try await fixture.database.change("update exports set mail_status = 'failed', code = 'mail_refused'")

        for round: Int64 in 2...3 {
            let outcomes = try await parallel(20) { _ in try await fixture.exports.mail(person.again(id), by: person.member) }
            #expect(outcomes.count { $0?.isQueued == true } == 1)
            #expect(outcomes.allSatisfy { $0?.export.mailStatus == .waiting && $0?.export.code == nil && $0?.addressIsProved == true })
            #expect(try await mails(fixture) == round)
            let job = try await fixture.claim(.mail)
            let mail = try await fixture.mails.beginMail(job)
            #expect(mail.kind == .exportReady && mail.subject == id.uuid && mail.addressSealed == Array("sealed".utf8))
            try await fixture.finish(job)
            #expect(try await shown(fixture, id).mailStatus == .sent)
        }
    }

    @Test("a mail asked for while the zip is built comes when it is ready; without a verified address none is queued")
    func whileBuilding() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let export = try person.export(mail: false)
        _ = try await fixture.exports.create(export, by: person.member)
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)

        let asked = try #require(try await fixture.exports.mail(person.again(export.id), by: person.member))
        #expect(!asked.isQueued && asked.export.mailStatus == .waiting)
        #expect(try await mails(fixture) == 0)
        #expect(try await fixture.finish(job) == .mail)
        #expect(try await mails(fixture) == 1)

        try await fixture.database.change("update identities set verified_at = null")
        let unproved = try await built(fixture, mail: false)
        let refused = try #require(try await fixture.exports.mail(person.again(unproved), by: person.member))
        #expect(!refused.isQueued && !refused.addressIsProved && refused.export.mailStatus == .notAsked)
        #expect(try await mails(fixture) == 1)
    }
}
