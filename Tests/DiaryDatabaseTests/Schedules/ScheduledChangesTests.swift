import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("What exports of schedules have (decision 0053)", .timeLimit(.minutes(2)))
struct ScheduledChangesTests {
    @Test("an entry of earlier days that comes late, and the words of a recording that was there, are in the next export; no other is")
    func late() async throws {
        let scene = try await ScheduledExports.make()
        let (fixture, person) = (scene.fixture, scene.fixture.person)
        let known = person.text(request: [1])
        _ = try await fixture.entries.create(known, by: person.member)
        let heard = EntryID(try await fixture.ready(.transcribe))
        let (first, all) = try await scene.begin()
        #expect(try await Set(scene.entries(of: all)) == [known.id, heard])
        // Recorded years before, and made while the export is built.
        let late = person.text(at: Date(timeIntervalSince1970: 1_500_000_000), request: [2])
        let seen = try await fixture.database.int("select change_number from user_sync")
        _ = try await fixture.entries.create(late, by: person.member)
        try await scene.finish(first, upto: seen)
        try await fixture.finish(try await fixture.claim(.transcribe))

        let (second, next) = try await scene.begin()

        #expect(try await Set(scene.entries(of: next)) == [late.id, heard])
        try await scene.finish(second)
        #expect(try await scene.entries(of: try await scene.begin().export).isEmpty)
    }

    @Test("a run that failed moves no mark: the next one, due or asked for, has what it was to have")
    func failed() async throws {
        let scene = try await ScheduledExports.make()
        let (fixture, person) = (scene.fixture, scene.fixture.person)
        let (first, _) = try await scene.begin()
        try await scene.finish(first)
        let before = try await scene.shown()
        let entry = person.text()
        _ = try await fixture.entries.create(entry, by: person.member)
        let (broken, export) = try await scene.begin()
        #expect(try await scene.entries(of: export) == [entry.id])
        try await fixture.queue.discard(broken, code: .storageUnavailable)
        #expect(try await scene.shown().lastAt == before.lastAt)

        let asked = try #require(
            try await scene.schedules.run(
                scene.id, ScheduledRun(at: .now, Limits()), claim: nil, requestID: nil, by: person.member))

        _ = try await fixture.claim(.export)
        let (due, next) = try await scene.begin()
        #expect(try await scene.entries(of: asked) == [entry.id])
        #expect(try await scene.entries(of: next) == [entry.id], "the one that was asked for is not ready yet")
        try await scene.finish(due)
        #expect(try await scene.entries(of: try await scene.begin().export).isEmpty)
    }

    @Test("it says the days from the export before to its own, and the first one all days")
    func days() async throws {
        let scene = try await ScheduledExports.make()
        let (first, all) = try await scene.begin()
        #expect(all.from == CalendarDay.all.lowerBound && all.to == CalendarDay.all.upperBound)
        try await scene.finish(first)
        try await scene.fixture.database.change(
            "update export_schedules set time_zone = 'Pacific/Kiritimati', last_at = '2020-03-01T12:00:00Z'")

        let (_, next) = try await scene.begin()

        #expect(try next.from == day("2020-03-02") && next.to > next.from && next.to < CalendarDay.all.upperBound)
        #expect(next.selection.from == CalendarDay.all.lowerBound && next.selection.to == CalendarDay.all.upperBound)
        #expect(try await scene.shown().lastAt == Date(timeIntervalSince1970: 1_583_064_000))
    }

    @Test("the list of exports takes a schedule")
    func listed() async throws {
        let scene = try await ScheduledExports.make()
        let (exports, person) = (scene.fixture.exports, scene.fixture.person)
        _ = try await exports.create(try person.export(), by: person.member)
        try await scene.run()

        for (schedule, count) in [(nil, 2), (scene.id, 1), (ExportScheduleID(UUID()), 0)] as [(ExportScheduleID?, Int)] {
            let listed = try await exports.exports(before: nil, limit: 9, schedule: schedule, status: .queued, of: person.member)
            #expect(listed.count == count)
        }
    }

    @Test("of all entries each has them all, and the first one of changes begins after the last of them")
    func all() async throws {
        let scene = try await ScheduledExports.make(covers: "all")
        let entry = scene.fixture.person.text()
        _ = try await scene.fixture.entries.create(entry, by: scene.fixture.person.member)
        for _ in 0..<2 {
            let (job, export) = try await scene.begin()
            #expect(try await scene.entries(of: export) == [entry.id] && export.covered == nil)
            try await scene.finish(job)
        }

        try await scene.fixture.database.change("update export_schedules set covers = 'changes'")

        #expect(try await scene.entries(of: try await scene.begin().export).isEmpty)
    }

    @Test(
        "after a change that lets it select more the next one has everything again; after another it goes on",
        arguments: [("kind", true), ("audio", true), ("kind while it is built", true), ("time", false)])
    func selection(of change: String, hasAll: Bool) async throws {
        let scene = try await ScheduledExports.make()
        let (database, member) = (scene.fixture.database, scene.fixture.person.member)
        try await database.change("update export_schedules set include_audio = false, kind = 'voice'")
        _ = try await scene.fixture.entries.create(scene.fixture.person.text(), by: member)
        func owner(_ edit: (inout ScheduleTerms) -> Void) async throws {
            let old = try await scene.shown()
            var write = ScheduleWrite(id: old.id, terms: old.terms, tags: nil, nextAt: old.nextAt)
            edit(&write.terms)
            #expect(try await scene.schedules.change(write, from: old, by: member) != nil)
        }
        let (job, _) = try await scene.begin()
        if change.hasPrefix("kind while") { try await owner { $0.kind = nil } }
        try await scene.finish(job)

        switch change {
        case "kind": try await owner { $0.kind = nil }
        case "audio": try await owner { $0.contents.includeAudio = true }
        case "time": try await owner { $0.timing.minute = 1 }
        default: break
        }

        #expect(try await (scene.begin().export.selection.changedAfter == nil) == hasAll)
    }

    @Test("one that is ready after a newer one does not set the mark back")
    func order() async throws {
        let scene = try await ScheduledExports.make()
        let (older, _) = try await scene.begin()
        let (newer, export) = try await scene.begin()
        try await scene.finish(newer, upto: 20)
        try await scene.finish(older, upto: 10)

        #expect(try await scene.shown().lastAt == export.createdAt)
        #expect(try await scene.begin().export.selection.changedAfter == 20)
    }
}
