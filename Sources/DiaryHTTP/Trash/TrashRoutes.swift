import DiaryCore
import HTTPTypes
import WireFormats

/// Deleted entries that can be restored.
struct TrashRoutes: Sendable {
    let trash: TrashFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/trash", limits: policies.reads, handler: list),
            Route(.post, "/v1/entries/{id}/restore", limits: policies.writes, counted: policies.entries) { (context: MemberContext) in
                let entry = try await trash.restore.run(try context.id(), by: context.member) { () async throws(DiaryError) in
                    try await context.charge(1)
                }
                EntryRoutes.logDamage(of: [entry], context)
                return EntryRoutes.entry(entry)
            },
        ]
    }

    private func list(_ context: MemberContext) async throws -> Reply {
        var query = context.query()
        let view = query.choice("view", of: EntryView.self) ?? .full
        let (before, limit) = try ListFields.page(&query)
        let listing = try await trash.read.run(before: before, limit: limit, of: context.member)
        EntryRoutes.logDamage(of: listing.entries, context)
        return Reply.json { w in
            w.page(listing.entries, next: listing.next) { entry, w in EntryPayload.write(entry, view, to: &w) }
        }
    }
}
