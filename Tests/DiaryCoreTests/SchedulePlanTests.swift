import DiaryTesting
import Foundation
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Runs of schedules")
struct SchedulePlanTests {
    private static func date(_ text: String) throws -> Date { try #require(RFC3339.parse(text)) }

    private static func plan(
        _ rule: String, due: String, now: String, covers: ScheduleCoverage = .period, covered: String? = nil, dayEnds: Int = 0,
        hour: Int = 6,
        minute: Int = 0
    ) throws -> SchedulePlan {
        let timing = ScheduleTiming(
            rule: try RecurrenceRule(rule), startsOn: try #require(CalendarDay("2026-01-01")), hour: hour, minute: minute,
            timeZone: "Europe/Berlin")
        let due = DueSchedule(
            owner: Owner(tenant: TenantID(UUID()), user: UserID(UUID())), id: ExportScheduleID(UUID()), slug: "diary", timing: timing,
            covers: covers, coveredTo: covered.flatMap { CalendarDay($0) }, failures: 0, dayEndsMinute: dayEnds, dueAt: try date(due),
            now: try date(now))
        let times = try #require(timing.times())
        return try #require(SchedulePlan(due, times))
    }

    @Test(
        "cover the days from the run before to the day before, and after missed ones all of these",
        arguments: [
            // A Monday in time; three weeks late, on a Wednesday; without a run before.
            (
                "FREQ=WEEKLY;BYDAY=MO", "2026-11-23T05:00:00Z", "2026-11-23T05:00:02Z", "2026-11-15", "2026-11-16", "2026-11-22",
                "2026-11-30T05:00:00Z"
            ),
            (
                "FREQ=WEEKLY;BYDAY=MO", "2026-11-02T05:00:00Z", "2026-11-25T12:00:00Z", "2026-11-01", "2026-11-02", "2026-11-22",
                "2026-11-30T05:00:00Z"
            ),
            (
                "FREQ=WEEKLY;BYDAY=MO", "2026-11-23T05:00:00Z", "2026-11-23T05:00:02Z", "", "2026-11-16", "2026-11-22",
                "2026-11-30T05:00:00Z"
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=1", "2026-03-01T05:00:00Z", "2026-03-01T05:00:02Z", "", "2026-02-01", "2026-02-28",
                "2026-04-01T04:00:00Z"
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=-1", "2026-03-31T04:00:00Z", "2026-03-31T04:00:02Z", "", "2026-02-28", "2026-03-30",
                "2026-04-30T04:00:00Z"
            ),
            (
                "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1", "2026-01-01T05:00:00Z", "2026-01-01T05:00:02Z", "", "2025-01-01", "2025-12-31",
                "2027-01-01T05:00:00Z"
            ),
            (
                "FREQ=DAILY", "2026-03-28T05:00:00Z", "2026-03-30T03:00:00Z", "2026-03-26", "2026-03-27", "2026-03-28",
                "2026-03-30T04:00:00Z"
            ),
            // The owner moved the schedule back: its last day once more, not none.
            (
                "FREQ=DAILY", "2026-03-28T05:00:00Z", "2026-03-28T05:00:02Z", "2026-03-30", "2026-03-27", "2026-03-27",
                "2026-03-29T04:00:00Z"
            ),
        ])
    func periods(_ rule: String, _ due: String, _ now: String, _ covered: String, _ from: String, _ to: String, _ next: String) throws {
        let plan = try Self.plan(rule, due: due, now: now, covered: covered.isEmpty ? nil : covered)
        #expect(plan.days == (try #require(CalendarDay(from)))...(try #require(CalendarDay(to))))
        #expect(plan.coveredTo == CalendarDay(to))
        #expect(plan.nextRunAt == (try Self.date(next)))
    }

    @Test("a day that ends at four in the morning is not over at half past midnight")
    func dayEnds() throws {
        let plan = try Self.plan(
            "FREQ=DAILY", due: "2026-11-23T23:30:00Z", now: "2026-11-23T23:30:01Z", covered: "2026-11-21", dayEnds: 240, hour: 0, minute: 30
        )
        #expect(plan.days.lowerBound == CalendarDay("2026-11-22") && plan.days.upperBound == CalendarDay("2026-11-22"))
    }

    @Test("of everything, and after the last day of a rule")
    func all() throws {
        let plan = try Self.plan(
            "FREQ=DAILY;UNTIL=20261123", due: "2026-11-23T05:00:00Z", now: "2026-11-23T05:00:01Z", covers: .changes)
        #expect(plan.days == CalendarDay.all && plan.coveredTo == nil && plan.nextRunAt == nil)
    }

    @Test(
        "an app's words and rules are the same",
        arguments: [
            (SimpleRecurrence(.daily), "FREQ=DAILY"), (SimpleRecurrence(.weekly), "FREQ=WEEKLY;BYDAY=MO"),
            (SimpleRecurrence(.weekly, weekday: .sunday), "FREQ=WEEKLY;BYDAY=SU"),
            (SimpleRecurrence(.monthly), "FREQ=MONTHLY;BYMONTHDAY=1"),
            (SimpleRecurrence(.monthly, day: -1), "FREQ=MONTHLY;BYMONTHDAY=-1"),
            (SimpleRecurrence(.yearly), "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1"),
            (SimpleRecurrence(.yearly, day: 31, month: 12), "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31"),
        ])
    func words(_ words: SimpleRecurrence, _ text: String) throws {
        let rule = try words.rule()
        #expect(rule.description == text)
        #expect(try SimpleRecurrence(rule)?.rule() == rule)
    }

    @Test(
        "rules that say more have no such words",
        arguments: [
            "FREQ=DAILY;INTERVAL=2", "FREQ=WEEKLY;BYDAY=MO,TU", "FREQ=MONTHLY;BYDAY=1MO", "FREQ=DAILY;COUNT=2",
            "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=1",
        ])
    func noWords(_ text: String) throws {
        #expect(SimpleRecurrence(try RecurrenceRule(text)) == nil)
    }

    @Test("a link that ends mails is accepted only as it was made")
    func links() throws {
        let links = StubLinks()
        let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))
        let link = ScheduleMailLink(owner: owner, schedule: ExportScheduleID(UUID()), links: links)
        #expect(ScheduleMailLink(token: link.token, links: links) == link)
        #expect(link.url("https://diary.example") == "https://diary.example/unsubscribe/\(link.token)")
        for token in ["", ".", link.token + ".", String(link.token.dropFirst()), "x." + link.token, link.token.replacing(".", with: "")] {
            #expect(ScheduleMailLink(token: token, links: links) == nil)
        }
    }
}
