import Foundation
import WireFormats

@testable import DiaryCore
@testable import DiaryDatabase

/// Probes of schedules of exports.
extension Probe {
    private static func written(_ id: ExportScheduleID = ExportScheduleID(UUID())) throws -> ScheduleWrite {
        ScheduleWrite(id: id, terms: try .weekly(mail: false), tags: nil, run: .at(Date(timeIntervalSinceNow: 3_600)))
    }

    static let schedules: [Probe] = [
        Probe(name: "schedule place") {
            _ = try await $0.schedules.place(of: $1.person.member)
            return true
        },
        Probe(name: "schedule create") {
            guard
                case .written = try await $0.schedules.create(try written(), most: 10, claim: nil, by: $1.person.member)
            else { return false }
            return true
        },
        Probe(name: "schedule") { try await $0.schedules.schedule($1.schedule, of: $1.person.member) != nil },
        Probe(name: "schedules") { try await !$0.schedules.schedules(before: nil, limit: 9, of: $1.person.member).isEmpty },
        Probe(name: "schedule change") {
            guard
                case .written = try await $0.schedules.change(try written($1.schedule), expecting: 1, by: $1.person.member)
            else { return false }
            return true
        },
        Probe(name: "schedule delete") { try await $0.schedules.delete($1.schedule, by: $1.person.member) },
        Probe(name: "schedule run") {
            let run = AskedRun(
                schedule: $1.schedule, export: ExportID(UUID()), job: NewJob(.export), maxDownloads: 1, days: CalendarDay.all)
            return try await $0.schedules.run(run, by: $1.person.member) != nil
        },
        Probe(name: "schedule exports") { try await $0.schedules.exports(of: $1.schedule, limit: 9, $1.person.member)?.isEmpty == false },
        Probe(name: "schedule sendsMail") { try await $0.schedules.sendsMail($1.schedule, of: $1.person.owner) },
        Probe(name: "schedule stopMail") {
            try await $0.schedules.stopMail($1.schedule, of: $1.person.owner, requestID: nil)
            return false
        },
        Probe(name: "due claim") {
            let due = try await $1.due(with: $0)
            let plan = SchedulePlan(nextRunAt: Date(timeIntervalSinceNow: 3_600), days: CalendarDay.all, coveredTo: nil)
            let run = DueRun(export: ExportID(UUID()), job: NewJob(.export), maxDownloads: 1, plan: plan)
            return try await $0.due.claim(due, run) == .made
        },
        Probe(name: "due note") {
            try await $0.due.note(.notMade, of: try await $1.due(with: $0), retrySeconds: 60)
            return false
        },
    ]
}

extension ScheduleTerms {
    /// Every Monday at 6:00 in Berlin.
    static func weekly(mail: Bool, covers: ScheduleCoverage = .all, tags: [String] = []) throws -> ScheduleTerms {
        ScheduleTerms(
            timing: ScheduleTiming(
                rule: try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO"), startsOn: try day("2026-01-01"), hour: 6, minute: 0,
                timeZone: "Europe/Berlin"),
            covers: covers, contents: ExportContents(), kind: nil, tags: tags, keepLast: nil, mail: mail)
    }
}
