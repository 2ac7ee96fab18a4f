import DiaryCore
import HTTPTypes
import Logging
import WireFormats

/// Entries: created, read, changed, deleted, and listed in two ways.
struct EntryRoutes: Sendable {
    let entries: EntryFeature
    let uploads: UploadFeature
    let limits: Limits
    let policies: RatePolicies
    let prefix: PublicPrefix

    var routes: [Route] {
        [
            Route(.post, "/v1/entries", limits: policies.entries, replays: policies.reads, handler: create),
            Route(.get, "/v1/entries", limits: policies.reads, handler: list),
            Route(.get, "/v1/changes", limits: policies.reads) { (context: MemberContext) in
                var query = context.query()
                let page = try PageFields.changes(&query)
                return try await feed(from: page.start, limit: page.limit, context)
            },
            Route(.get, "/v1/entries/{id}", limits: policies.reads) { (context: MemberContext) in
                let entry = try await entries.read.one(try context.id(), for: context.member)
                Self.report([entry], context)
                return Self.entry(entry)
            },
            Route(.patch, "/v1/entries/{id}", limits: policies.writes, handler: change),
            Route(.delete, "/v1/entries/{id}", limits: policies.writes, handler: remove),
            Route(.post, "/v1/entries/{id}/upload-url", limits: policies.writes) { (context: MemberContext) in
                let target = try await uploads.reissue.run(try context.id(), by: context.member)
                return Reply.json { $0.member("upload") { UploadPayload.write(target, to: &$0) } }
            },
            Route(.post, "/v1/entries/{id}/complete", limits: policies.writes) { (context: MemberContext) in
                Self.entry(try await uploads.complete.run(try context.id(), by: context.member), .accepted)
            },
            // It makes the work of a new entry.
            Route(.post, "/v1/entries/{id}/retry", limits: policies.entries) { (context: MemberContext) in
                Self.entry(try await entries.retry.run(try context.id(), by: context.member), .accepted)
            },
            Route(.get, "/v1/entries/{id}/transcript", limits: policies.reads) { (context: MemberContext) in
                let entry = try await whole(context)
                let segments = try await entries.read.segments(entry.facts.id, for: context.member) ?? []
                return Reply.json { TranscriptPayload.write(entry, segments, to: &$0) }
            },
            Route(.get, "/v1/entries/{id}/transcript.txt", limits: policies.reads) { (context: MemberContext) in
                Reply.text(.ok, try await whole(context).text ?? "")
            },
        ]
    }

    private func create(_ context: MemberContext) async throws -> Reply {
        let key = try context.idempotencyKey()
        var f = try await context.fields()
        let draft = EntryFields.draft(&f, idempotencyKey: key, limits: limits)
        try f.finish()
        let started = try await entries.start.run(draft, by: context.member, mayCreate: context.exchange.mayCreate)
        let id = started.entry.facts.id
        let reply = Reply.json(.created) { w in
            w.member("entry_id", id)
            w.member("entry") { EntryPayload.write(started.entry, to: &$0) }
            if let upload = started.upload { w.member("upload") { UploadPayload.write(upload, to: &$0) } }
        }
        .with(.location, prefix.path("/v1/entries/\(id)")).with(.eTag, EntityTag.text(started.entry.version))
        return reply.replayed(started.replayed)
    }

    private func list(_ context: MemberContext) async throws -> Reply {
        var query = context.query()
        switch try PageFields.read(&query) {
        case .feed(let start, let limit):
            return try await feed(from: start, limit: limit, context)
        case .byDate(let query):
            let listing = try await entries.read.list(query, for: context.member)
            Self.report(listing.entries, context)
            return Self.page(listing.entries, cursor: listing.next, more: listing.next != nil)
        }
    }

    private func feed(from start: FeedStart, limit: Int, _ context: MemberContext) async throws -> Reply {
        let feed = try await entries.read.changes(from: start, limit: limit, for: context.member)
        Self.report(feed.entries, context)
        return Self.page(
            feed.entries.filter { $0.facts.deletedAt == nil }, deleted: feed.entries.filter { $0.facts.deletedAt != nil },
            since: feed.next, more: feed.hasMore)
    }

    /// The one shape of feed and listing.
    private static func page(_ entries: [Entry], deleted: [Entry] = [], since: String? = nil, cursor: String? = nil, more: Bool) -> Reply {
        Reply.json(capacity: size(entries) + deleted.count * 256) { w in
            w.array("entries", entries) { w, entry in w.object { EntryPayload.write(entry, to: &$0) } }
            w.array("deleted", deleted) { w, entry in w.object { TombstonePayload.write(entry, to: &$0) } }
            w.member("next_since", since)
            w.member("next_cursor", cursor)
            w.member("has_more", more)
        }
    }

    private func change(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        guard let condition = try context.ifMatch() else {
            throw DiaryError(.preconditionRequired, fields: [.init("header/if-match", "is required")])
        }
        var f = try await context.mergePatch()
        let patch = EntryFields.patch(&f)
        try f.finish()
        return Self.entry(try await entries.edit.run(id, patch, matching: try await match(condition, id, context), by: context.member))
    }

    private func remove(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let condition = try context.ifMatch() ?? .any
        try await entries.delete.run(id, matching: try await match(condition, id, context), by: context.member)
        return .noContent
    }

    /// One version, or the one of several that the entry has now. Tags of another form stand for a version that no entry has.
    private func match(_ condition: EntityTag.Condition, _ id: EntryID, _ context: MemberContext) async throws(DiaryError) -> VersionMatch {
        guard case .versions(let versions) = condition else { return .any }
        guard versions.count > 1 else { return .exactly(versions.first ?? -1) }
        let now = try await entries.read.one(id, for: context.member).version
        return .exactly(versions.contains(now) ? now : -1)
    }

    /// An entry all of whose words can be read.
    private func whole(_ context: MemberContext) async throws -> Entry {
        let id: EntryID = try context.id()
        var query = context.query()
        try query.finish()
        let entry = try await entries.read.one(id, for: context.member)
        guard !entry.isDamaged else { throw DiaryError(.entryDamaged) }
        return entry
    }

    /// An estimate of their bytes as JSON, so that the buffer of a page is not reallocated while it is written.
    private static func size(_ entries: [Entry]) -> Int {
        let entries = entries.span
        var sum = 256
        for index in entries.indices {
            let (edited, clean, raw) = (
                length(entries[index].personal.edited), length(entries[index].machine.clean), length(entries[index].machine.raw)
            )
            // One of the three occurs twice.
            sum += 800 + length(entries[index].personal.title) + edited + clean + raw + max(edited, clean, raw)
        }
        return sum
    }

    private static func length(_ text: String?) -> Int { text?.utf8.count ?? 0 }

    /// Logged for the operator: the text may still be in a backup.
    private static func report(_ entries: [Entry], _ context: MemberContext) {
        let span = entries.span
        for index in span.indices where !span[index].damage.isEmpty {
            let entry = span[index]
            context.exchange.logger.error(
                "entry damaged", metadata: ["entry": "\(entry.facts.id)", "parts": .stringConvertible(entry.damage.rawValue)])
        }
    }

    private static func entry(_ entry: Entry, _ status: HTTPResponse.Status = .ok) -> Reply {
        Reply.json(status) { EntryPayload.write(entry, to: &$0) }.with(.eTag, EntityTag.text(entry.version))
    }
}
