import Foundation

@testable import DiaryCore
@testable import DiaryDatabase

/// Probes of schedules of exports.
extension Probe {
    private static func written(_ id: ExportScheduleID = ExportScheduleID(UUID())) -> ScheduleWrite {
        ScheduleWrite(id: id, terms: .weekly(mail: false), tags: nil, nextAt: Date(timeIntervalSinceNow: 3_600))
    }

    static let schedules: [Probe] = [
        Probe(name: "schedule place") {
            _ = try await $0.schedules.place(of: $1.person.member)
            return true
        },
        Probe(name: "schedule create") {
            try await $0.schedules.create(written(), most: 10, claim: nil, by: $1.person.member) != nil
        },
        Probe(name: "schedule") { try await $0.schedules.schedule($1.schedule, of: $1.person.member) != nil },
        Probe(name: "schedules") { try await !$0.schedules.schedules(before: nil, limit: 9, of: $1.person.member).isEmpty },
        Probe(name: "schedule change") {
            let due = try await $1.due(with: $0)
            let old = ExportSchedule(
                id: $1.schedule, terms: .weekly(mail: true), sealedTags: nil, version: 1, createdAt: due.now, updatedAt: due.now,
                nextAt: due.dueAt, lastAt: nil)
            return try await $0.schedules.change(written($1.schedule), from: old, by: $1.person.member) != nil
        },
        Probe(name: "schedule delete") { try await $0.schedules.delete($1.schedule, by: $1.person.member) },
        Probe(name: "schedule run") {
            let run = ScheduledRun(at: .now, Limits())
            return try await $0.schedules.run($1.schedule, run, claim: nil, requestID: nil, by: $1.person.member) != nil
        },
        Probe(name: "schedule stopMail") {
            try await $0.schedules.stopMail($1.schedule, of: $1.person.owner, requestID: nil)
            return false
        },
        Probe(name: "due claim") {
            let due = try await $1.due(with: $0)
            let next = Date(timeIntervalSinceNow: 3_600)
            return try await $0.due.claim(due, ScheduledRun(at: .now, Limits()), nextAt: next) == .made
        },
    ]
}

extension ScheduleTerms {
    /// Every Monday at 6:00 in Berlin.
    static func weekly(mail: Bool, covers: ScheduleCoverage = .changes, tags: [String] = []) -> ScheduleTerms {
        ScheduleTerms(
            timing: ScheduleTiming(every: .week, weekday: .monday, day: nil, month: nil, minute: 360, timeZone: "Europe/Berlin"),
            covers: covers, contents: ExportContents(), kind: nil, tags: tags, keepLast: nil, mail: mail)
    }
}
