import DiaryCore
import HTTPTypes
import WireFormats

/// Notes of an entry. Each answer is the entry: a client that got only its note and the new version would take changes of others for read.
struct NoteRoutes: Sendable {
    let entries: EntryFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.post, "/v1/entries/{id}/notes", limits: policies.writes, handler: add),
            Route(.patch, "/v1/entries/{id}/notes/{note}", limits: policies.writes, handler: change),
            Route(.delete, "/v1/entries/{id}/notes/{note}", limits: policies.writes, handler: remove),
        ]
    }

    private func add(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let condition = try context.ifMatch() ?? .any
        var f = try await context.fields()
        let draft = WriteNotes.Draft(
            id: f.id("id"), text: f.noteText(), at: f.number("at_s", in: EntryNote.times), createdAt: f.recordingTime("created_at"))
        try f.finish()
        let match = try await EntryPrecondition.match(condition, id, entries, context)
        return Self.reply(try await entries.notes.add(draft, to: id, matching: match, by: context.member), context)
    }

    private func change(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let note: NoteID = try context.id("note")
        let condition = try context.ifMatch() ?? .any
        var f = try await context.mergePatch()
        let text = f.has("text") ? f.noteText() : nil
        let at = f.number("at_s", in: EntryNote.times)
        if f.isNull("at_s") { f.refuse("at_s", "cannot be cleared") }
        try f.finish()
        let match = try await EntryPrecondition.match(condition, id, entries, context)
        return Self.reply(try await entries.notes.change(note, of: id, text: text, at: at, matching: match, by: context.member), context)
    }

    private func remove(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let note: NoteID = try context.id("note")
        var query = context.query()
        try query.finish()
        let condition = try context.ifMatch() ?? .any
        let match = try await EntryPrecondition.match(condition, id, entries, context)
        return Self.reply(try await entries.notes.delete(note, of: id, matching: match, by: context.member), context)
    }

    private static func reply(_ outcome: VersionedWrite<Entry>, _ context: MemberContext) -> Reply {
        switch outcome {
        case .written(let entry): EntryRoutes.entry(entry)
        case .conflict(let current): EntryPrecondition.conflict(current, context)
        }
    }
}

extension Fields {
    /// Required, and not blank.
    fileprivate mutating func noteText() -> String {
        let faults = errors.count
        let text = requiredText("text", max: EntryNote.length)
        if errors.count == faults, text.allSatisfy(\.isWhitespace) { refuse("text", "must not be blank") }
        return text
    }
}
