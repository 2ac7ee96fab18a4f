import DiaryCore
import HTTPTypes
import WireFormats

/// Zips of earlier diaries that are imported: announced, uploaded as recordings are (`UploadRoutes`), and reported.
struct ImportRoutes: Sendable {
    let imports: ImportFeature
    let policies: RatePolicies
    let prefix: PublicPrefix

    var routes: [Route] {
        [
            // The quota counts imports only; refused requests are limited by the rate.
            Route(.post, "/v1/imports", limits: policies.writes + policies.importZips, replays: policies.reads, handler: create),
            Route(.get, "/v1/imports", limits: policies.reads) { (context: MemberContext) in
                var query = context.query()
                let status = query.choice("status", of: ImportStatus.self)
                let asked = try ListFields.page(&query)
                let page = try await imports.read.list(before: asked.before, limit: asked.limit, status: status, of: context.member)
                return Reply.json(capacity: 512 + page.items.count * 512) {
                    $0.page(page.items, next: page.next, ImportPayload.write)
                }
            },
            Route(.get, "/v1/imports/{id}", limits: policies.reads) { (context: MemberContext) in
                let found = try await imports.read.one(try context.id(), of: context.member)
                return Reply.json { ImportPayload.write(found, to: &$0) }
            },
            Route(.get, "/v1/imports/{id}/report", limits: policies.reads, handler: report),
            Route(.delete, "/v1/imports/{id}", limits: policies.writes) { (context: MemberContext) in
                try await imports.delete.run(try context.id(), by: context.member)
                return .noContent
            },
        ]
    }

    private func create(_ context: MemberContext) async throws -> Reply {
        let key = try context.idempotencyKey()
        var f = try await context.fields()
        let form = ImportForm.read(&f, idempotencyKey: key)
        try f.finish()
        guard let form else { throw DiaryError(.invalidFields) }
        let (made, upload, replayed) = try await imports.create.run(form, by: context.member, mayCreate: context.exchange.mayCreate)
        return Reply.json(.created) { w in
            w.member("import") { ImportPayload.write(made, to: &$0) }
            if let upload { w.member("upload") { SignedURLPayload.write(upload, to: &$0) } }
        }
        .with(.location, prefix.path("/v1/imports/\(made.id)")).replayed(replayed)
    }

    private func report(_ context: MemberContext) async throws -> Reply {
        let id: ImportID = try context.id()
        var query = context.query()
        let limit = ListFields.limit(&query)
        let text = query.text("cursor", max: ListFields.cursorLength)
        let cursor = text.flatMap { ReportCursor(parsing: $0) }
        if text != nil, cursor == nil { query.refuse("cursor", "is not a cursor of this list") }
        try query.finish()
        let report = try await imports.read.report(id, after: cursor, limit: limit, of: context.member)
        return Reply.json(capacity: 256 + report.items.count * 160) { w in
            w.array("items", report.items) { w, item in w.object { ImportPayload.write(item, to: &$0) } }
            w.member("next_cursor", report.next?.text)
            w.member("has_more", report.next != nil)
        }
    }
}

enum ImportForm {
    /// nil when a field was refused, and then `finish` throws.
    static func read(_ f: inout Fields, idempotencyKey: String?) -> CreateImport.Form? {
        let size: Int64 = f.required("size_bytes", 0) { $0.integer("size_bytes", in: 1...Int64.max) }
        let sha256 = f.hex("sha256", count: 32)
        let parts = f.bool("parts") ?? false
        guard size > 0 else { return nil }
        return CreateImport.Form(sizeBytes: size, sha256: sha256, wantsParts: parts, idempotencyKey: idempotencyKey)
    }
}

enum ImportPayload {
    static func write(_ found: Import, to w: inout JSONWriter) {
        w.member("id", found.id)
        w.member("status", found.status.rawValue)
        w.member("code", found.code?.rawValue)
        w.member("source", found.source?.rawValue)
        w.member("size_bytes", found.sizeBytes)
        w.member("created_at", found.createdAt)
        w.member("upload_expires_at", found.status == .awaitingUpload ? found.uploadExpiresAt : nil)
        w.member("finished_at", found.finishedAt)
        w.member("progress") { w in
            w.member("percent", found.percent)
            w.member("entries", found.done)
            w.member("entries_total", found.total)
        }
        w.member("counts") { w in
            w.member("created", found.counts.created)
            w.member("unchanged", found.counts.unchanged)
            w.member("skipped", found.counts.skipped)
            w.member("failed", found.counts.failed)
        }
    }

    static func write(_ item: ImportItem, to w: inout JSONWriter) {
        w.member("number", item.number)
        w.member("outcome", item.outcome.rawValue)
        w.member("code", item.code.rawValue)
        w.member("entry_id", item.entry)
        w.member("count", item.count)
        w.member("name", item.name)
    }
}
