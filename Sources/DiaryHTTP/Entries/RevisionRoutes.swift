import DiaryCore
import HTTPTypes
import WireFormats

/// Earlier texts of an entry, and runs that replace the present ones.
struct RevisionRoutes: Sendable {
    let entries: EntryFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/entries/{id}/revisions", limits: policies.reads, handler: list),
            // It makes the work of a new entry.
            Route(.post, "/v1/entries/{id}/reprocess", limits: policies.entries, replays: policies.reads, handler: reprocess),
        ]
    }

    private func list(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        var query = context.query()
        let layer = query.choice("layer", of: TextLayer.self)
        if layer == nil, !query.has("layer") { query.refuse("layer", "is required") }
        let size = ListFields.limit(&query)
        let text = query.text("cursor", max: ListFields.cursorLength)
        let cursor = text.flatMap { RevisionCursor(parsing: $0) }
        if text != nil, cursor == nil { query.refuse("cursor", "is not a cursor of this list") }
        try query.finish()
        guard let layer else { throw DiaryError(.invalidFields) }
        let listing = try await entries.revisions.run(id, layer, after: cursor, limit: size, for: context.member)
        return Reply.json(capacity: 256 + listing.revisions.reduce(0) { $0 + 256 + ($1.content?.text.utf8.count ?? 0) }) { w in
            w.array("items", listing.revisions) { w, revision in w.object { RevisionPayload.write(revision, to: &$0) } }
            w.member("next_cursor", listing.next?.text)
            w.member("has_more", listing.next != nil)
        }
    }

    private func reprocess(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let key = try context.requestKey()
        var f = try await context.fields()
        let stage = f.choice("stage", of: NewRun.Stage.self)
        let (language, engine) = (f.languageTag("language"), f.text("engine", max: 40, min: 1))
        if stage == nil, language != nil { f.refuse("language", "needs a stage") }
        if stage == nil, engine != nil { f.refuse("engine", "needs a stage") }
        if stage == .clean, language != nil { f.refuse("language", "belongs to the stage transcribe") }
        try f.finish()
        let run = stage.map { NewRun(stage: $0, language: language, engine: engine) }
        let (entry, replayed) = try await entries.reprocess.run(id, run, key: key, by: context.member)
        return EntryRoutes.entry(entry, .accepted).replayed(replayed)
    }
}

enum RevisionPayload {
    static func write(_ revision: Revision, to w: inout JSONWriter) {
        w.member("number", revision.number)
        w.member("layer", revision.layer.rawValue)
        w.member("created_at", revision.createdAt)
        w.member("engine", revision.content?.engine?.name)
        w.member("model", revision.content?.engine?.model)
        w.member("text", revision.content?.text)
        w.array("corrections", revision.content?.corrections ?? []) { w, correction in
            w.object { w in
                w.member("segment", correction.segment)
                w.member("start", correction.start)
                w.member("end", correction.end)
                w.member("text", correction.text)
                w.member("speaker", correction.speaker)
            }
        }
        w.member("damaged", revision.content == nil)
    }
}
