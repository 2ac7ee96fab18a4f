import DiaryCore
import HTTPTypes
import WireFormats

/// Exports as their owner sees them.
struct ExportRoutes: Sendable {
    let exports: ExportFeature
    let policies: RatePolicies
    let prefix: PublicPrefix

    var routes: [Route] {
        [
            // The quota counts exports only; refused requests are limited by the rate.
            Route(.post, "/v1/exports", limits: policies.writes + policies.exports, replays: policies.reads, handler: create),
            Route(.post, "/v1/exports/estimate", limits: policies.reads) { (context: MemberContext) in
                let form = try await readForm(context, idempotencyKey: nil)
                let estimate = try await exports.estimate.run(form.selection, form.contents, for: context.member)
                return Reply.json { ExportPayload.write(estimate, to: &$0) }
            },
            Route(.get, "/v1/exports", limits: policies.reads) { (context: MemberContext) in
                var query = context.query()
                let schedule: ExportScheduleID? = query.id("schedule_id")
                let status = query.choice("status", of: ExportStatus.self)
                let asked = try ListFields.page(&query)
                let page = try await exports.list(
                    before: asked.before, limit: asked.limit, schedule: schedule, status: status, of: context.member)
                return Reply.json(capacity: 512 + page.items.count * 512) {
                    $0.page(page.items, next: page.next, ExportPayload.write)
                }
            },
            Route(.get, "/v1/exports/{id}", limits: policies.reads) { (context: MemberContext) in
                let export = try await exports.one(try context.id(), of: context.member)
                return Reply.json { ExportPayload.write(export, to: &$0) }
            },
            Route(.delete, "/v1/exports/{id}", limits: policies.writes) { (context: MemberContext) in
                try await exports.revoke(try context.id(), by: context.member)
                return .noContent
            },
            Route(.get, "/v1/exports/{id}/url", limits: policies.reads + policies.downloads) { (context: MemberContext) in
                let part = try ExportFields.part(context.query())
                let file = try await exports.download.file(try context.id(), part: part, for: context.member, from: context.origin)
                return Reply.json {
                    SignedURLPayload.write(
                        reading: file.url, until: file.expiresAt, filename: file.filename, contentType: "application/zip",
                        sizeBytes: file.sizeBytes, to: &$0)
                }
            },
            Route(.post, "/v1/exports/{id}/mail", limits: policies.writes + policies.exportMails, replays: policies.reads) {
                (context: MemberContext) in
                let (export, replayed) = try await exports.mail.run(try context.id(), key: try context.requestKey(), by: context.member)
                return Reply.json(.accepted) { ExportPayload.write(export, to: &$0) }.replayed(replayed)
            },
        ]
    }

    private func create(_ context: MemberContext) async throws -> Reply {
        let form = try await readForm(context, idempotencyKey: try context.idempotencyKey())
        let (export, replayed) = try await exports.request.run(
            form, by: context.member, from: context.origin, mayCreate: context.exchange.mayCreate)
        return Reply.json(.accepted) { ExportPayload.write(export, to: &$0) }.with(.location, prefix.path("/v1/exports/\(export.id)"))
            .replayed(replayed)
    }

    private func readForm(_ context: MemberContext, idempotencyKey: String?) async throws -> RequestExport.Form {
        var f = try await context.fields()
        let form = ExportFields.read(&f, idempotencyKey: idempotencyKey)
        try f.finish()
        guard let form else { throw DiaryError(.invalidFields) }
        return form
    }
}
