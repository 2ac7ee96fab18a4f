import DiaryCore
import HTTPTypes
import WireFormats

/// What the diary has of a day of the year.
struct OnThisDayRoutes: Sendable {
    let entries: EntryFeature
    let policies: RatePolicies

    var routes: [Route] { [Route(.get, "/v1/entries/on-this-day", limits: policies.reads, handler: list)] }

    private func list(_ context: MemberContext) async throws -> Reply {
        var query = context.query()
        let limit = ListFields.limit(&query)
        let view = query.choice("view", of: EntryView.self) ?? .full
        let date = query.text("date", max: 64)
        let day = date.flatMap { DayOfYear($0) }
        if date != nil, day == nil { query.refuse("date", "must be a day of the year, MM-DD") }
        let cursor = query.text("cursor", max: ListFields.cursorLength)
        let after = cursor.flatMap { DateCursor(parsing: $0)?.position }
        if cursor != nil, after == nil { query.refuse("cursor", "is not a cursor of this list") }
        try query.finish()
        let listing = try await entries.onThisDay.run(day, after: after, limit: limit, for: context.member)
        EntryRoutes.logDamage(of: listing.entries, context)
        return Reply.json(capacity: 256 + listing.entries.count * 1_500) { w in
            w.array("items", listing.entries) { w, entry in w.object { EntryPayload.write(entry, view, to: &$0) } }
            w.member("next_cursor", listing.next)
            w.member("has_more", listing.next != nil)
        }
    }
}
