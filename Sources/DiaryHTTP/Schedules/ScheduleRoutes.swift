import DiaryCore
import HTTPTypes
import WireFormats

/// Schedules of exports as their owner sees them.
struct ScheduleRoutes: Sendable {
    let schedules: ExportScheduleFeature
    let policies: RatePolicies
    let prefix: PublicPrefix

    var routes: [Route] {
        [
            Route(.post, "/v1/export-schedules", limits: policies.writes, replays: policies.reads, handler: create),
            Route(.get, "/v1/export-schedules", limits: policies.reads) { (context: MemberContext) in
                var query = context.query()
                let asked = try ListFields.page(&query)
                let page = try await schedules.list(before: asked.before, limit: asked.limit, of: context.member)
                return Reply.json(capacity: 512 + page.items.count * 768) {
                    $0.page(page.items, next: page.next, SchedulePayload.write)
                }
            },
            Route(.get, "/v1/export-schedules/{id}", limits: policies.reads) { (context: MemberContext) in
                Self.shown(try await schedules.one(try context.id(), of: context.member))
            },
            Route(.patch, "/v1/export-schedules/{id}", limits: policies.writes, handler: change),
            Route(.delete, "/v1/export-schedules/{id}", limits: policies.writes) { (context: MemberContext) in
                try await schedules.delete(try context.id(), by: context.member)
                return .noContent
            },
            // As an export that is asked for, which it is.
            Route(
                .post, "/v1/export-schedules/{id}/run", limits: policies.writes + policies.exports, replays: policies.reads, handler: run),
        ]
    }

    private func create(_ context: MemberContext) async throws -> Reply {
        let key = try context.requestKey()
        var f = try await context.fields()
        let form = ScheduleFields.creation(&f)
        try f.finish()
        let (schedule, replayed) = try await schedules.create.run(form, key: key, by: context.member)
        return Self.shown(schedule, .created).with(.location, prefix.path("/v1/export-schedules/\(schedule.id)")).replayed(replayed)
    }

    /// Without `If-Match` the last writer wins, member by member: a merge patch leaves the others alone.
    private func change(_ context: MemberContext) async throws -> Reply {
        let condition = try context.ifMatch()
        var f = try await context.mergePatch()
        let form = ScheduleFields.patch(&f)
        try f.finish()
        let versions: [Int64]? = if case .versions(let versions)? = condition { versions } else { nil }
        switch try await schedules.edit.run(try context.id(), form, matching: versions, by: context.member) {
        case .changed(let schedule): return Self.shown(schedule)
        case .otherVersion(let schedule):
            return Problem.reply(DiaryError(.preconditionFailed), to: context.exchange) { w in
                w.member("current_schedule") { SchedulePayload.write(schedule, to: &$0) }
            }
            .with(.eTag, VersionTag.text(schedule.version))
        }
    }

    private func run(_ context: MemberContext) async throws -> Reply {
        let (export, replayed) = try await schedules.run.run(
            try context.id(), key: try context.requestKey(), by: context.member, from: context.origin)
        return Reply.json(.accepted) { ExportPayload.write(export, to: &$0) }.with(.location, prefix.path("/v1/exports/\(export.id)"))
            .replayed(replayed)
    }

    private static func shown(_ schedule: ExportSchedule, _ status: HTTPResponse.Status = .ok) -> Reply {
        Reply.json(status) { SchedulePayload.write(schedule, to: &$0) }.with(.eTag, VersionTag.text(schedule.version))
    }
}
