import DiaryCore
import HTTPTypes
import Logging
import WireFormats

/// Entries: created, read, changed, deleted, and listed in two ways.
struct EntryRoutes: Sendable {
    let entries: EntryFeature
    let policies: RatePolicies
    let prefix: PublicPrefix

    var routes: [Route] {
        [
            Route(.post, "/v1/entries", limits: policies.entries, replays: policies.reads, handler: create),
            Route(
                .post, "/v1/entries/batch", bodyLimit: BatchFields.bytes, limits: policies.writes, counted: policies.imports,
                replays: policies.reads, handler: batch),
            Route(.get, "/v1/entries", limits: policies.reads, handler: list),
            Route(.get, "/v1/changes", limits: policies.reads) { (context: MemberContext) in
                var query = context.query()
                return try await feed(try PageFields.changes(&query), context)
            },
            Route(.get, "/v1/entries/days", limits: policies.reads, handler: days),
            Route(.get, "/v1/entries/{id}", limits: policies.reads) { (context: MemberContext) in
                let entry = try await entries.read.one(try context.id(), for: context.member)
                Self.logDamage(of: [entry], context)
                return Self.entry(entry)
            },
            Route(.patch, "/v1/entries/{id}", limits: policies.writes, handler: change),
            Route(.post, "/v1/entries/{id}/copy", limits: policies.entries, replays: policies.reads, handler: copy),
            Route(.post, "/v1/entries/{id}/suggestions", limits: policies.writes, handler: answerSuggestions),
            Route(.delete, "/v1/entries/{id}", limits: policies.writes, handler: remove),
        ]
    }

    private func create(_ context: MemberContext) async throws -> Reply {
        let key = try context.idempotencyKey()
        var f = try await context.fields()
        let draft = EntryFields.draft(&f, idempotencyKey: key)
        try f.finish()
        let started = try await entries.create.run(draft, by: context.member, mayCreate: context.exchange.mayCreate)
        let entry = started.replayed ? context.shown(started.entry) : started.entry
        let id = entry.facts.id
        let reply = Reply.json(.created) { w in
            w.member("entry_id", id)
            w.member("entry") { EntryPayload.write(entry, to: &$0) }
            if let upload = started.upload { w.member("upload") { SignedURLPayload.write(upload, to: &$0) } }
        }
        .with(.location, prefix.path("/v1/entries/\(id)")).with(.eTag, VersionTag.text(entry.version))
        return reply.replayed(started.replayed)
    }

    private func batch(_ context: MemberContext) async throws -> Reply {
        let key = try context.requestKey()
        var f = try await context.fields()
        let operations = BatchFields.operations(&f)
        try f.finish()
        // nil over the limits, where only an earlier answer is repeated.
        let counter = context.exchange.counter
        if let most = counter?.most, operations.count(where: \.isCreation) > most {
            throw DiaryError.invalid("/operations", "has more new entries than the app allows at once: \(most)")
        }
        let allowance = RunBatch.Allowance(
            charge: { number async throws(DiaryError) in
                try await context.charge(number)
            }, refund: { number async in await counter?.refund(number) })
        let (results, replayed) = try await entries.batch.run(operations, key: key, allowance: allowance, by: context.member)
        return Reply.json(capacity: 512 + results.count * 1_024) {
            BatchPayload.write(results, requestID: context.exchange.requestID, publicURL: context.exchange.environment.publicURL, to: &$0)
        }
        .replayed(replayed)
    }

    private func list(_ context: MemberContext) async throws -> Reply {
        var query = context.query()
        switch try PageFields.read(&query) {
        case .feed(let query): return try await feed(query, context)
        case .byDate(let query, let view):
            let listing = try await entries.read.list(query, for: context.member)
            Self.logDamage(of: listing.entries, context)
            return Self.page(listing.entries, view, cursor: listing.next, more: listing.next != nil)
        }
    }

    private func days(_ context: MemberContext) async throws -> Reply {
        var query = context.query()
        let asked = try PageFields.days(&query)
        let days = try await entries.read.days(from: asked.from, to: asked.to, for: context.member)
        return Reply.json(capacity: 256 + days.count * 96) { w in
            w.page(days) { day, w in
                w.member("local_date", day.day)
                w.member("entries", day.entries)
                w.member("recordings", day.recordings)
                w.member("duration_s", day.durationSeconds)
            }
        }
    }

    private func feed(_ query: PageFields.FeedQuery, _ context: MemberContext) async throws -> Reply {
        let feed = try await entries.read.changes(from: query.start, limit: query.limit, for: context.member)
        Self.logDamage(of: feed.entries, context)
        return Self.page(
            feed.entries.filter { $0.facts.deletedAt == nil }, query.view, deleted: feed.entries.filter { $0.facts.deletedAt != nil },
            speakers: feed.profiles, since: feed.next, more: feed.hasMore)
    }

    /// The answer of both lists.
    private static func page(
        _ entries: [Entry], _ view: EntryView, deleted: [Entry] = [], speakers: [SpeakerProfile] = [], since: String? = nil,
        cursor: String? = nil, more: Bool
    ) -> Reply {
        let others = (deleted.count + speakers.count) * 256
        return Reply.json(capacity: (view == .full ? size(entries) : 256 + entries.count * 1_500) + others) { w in
            w.array("items", entries) { w, entry in w.object { EntryPayload.write(entry, view, to: &$0) } }
            w.array("deleted", deleted) { w, entry in w.object { TombstonePayload.write(entry, to: &$0) } }
            w.array("speakers", speakers) { w, profile in w.object { SpeakerProfilePayload.write(profile, to: &$0) } }
            w.member("next_since", since)
            w.member("next_cursor", cursor)
            w.member("has_more", more)
        }
    }

    private func change(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let condition = try EntryPrecondition.required(context)
        var f = try await context.mergePatch()
        let patch = EntryFields.patch(&f)
        try f.finish()
        let match = try await EntryPrecondition.match(condition, id, entries, context)
        switch try await entries.edit.run(id, patch, matching: match, by: context.member) {
        case .written(let entry): return Self.entry(entry)
        case .conflict(let current): return EntryPrecondition.conflict(current, context)
        }
    }

    private func remove(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        var query = context.query()
        let permanently = query.bool("permanent") ?? false
        try query.finish()
        let condition = try context.ifMatch() ?? .any
        let match = try await EntryPrecondition.match(condition, id, entries, context)
        switch try await entries.delete.run(id, matching: match, permanently: permanently, by: context.member) {
        case .written: return .noContent
        case .conflict(let current): return EntryPrecondition.conflict(current, context)
        }
    }

    /// An estimate of their bytes as JSON, so that the buffer of a page is not reallocated while it is written.
    private static func size(_ entries: [Entry]) -> Int {
        let entries = entries.span
        var sum = 256
        for index in entries.indices {
            let (edited, clean, raw) = (
                max(length(entries[index].personal.edited), length(entries[index].personal.corrected?.text)),
                length(entries[index].machine.clean), length(entries[index].machine.raw)
            )
            // One of the three occurs twice.
            sum +=
                800 + length(entries[index].personal.title) + length(entries[index].machine.summary) + edited + clean + raw
                + max(edited, clean, raw)
        }
        return sum
    }

    private static func length(_ text: String?) -> Int { text?.utf8.count ?? 0 }

    /// Logged for the operator: the text may still be in a backup.
    static func logDamage(of entries: [Entry], _ context: MemberContext) {
        let span = entries.span
        for index in span.indices where !span[index].damage.isEmpty {
            let entry = span[index]
            context.exchange.logger.error(
                "entry damaged", metadata: ["entry": "\(entry.facts.id)", "parts": .stringConvertible(entry.damage.rawValue)])
        }
    }

    static func entry(_ entry: Entry, _ status: HTTPResponse.Status = .ok) -> Reply {
        Reply.json(status) { EntryPayload.write(entry, to: &$0) }.with(.eTag, VersionTag.text(entry.version))
    }
}
