import DiaryCore
import FoundationEssentials
import WireFormats

/// The query of `GET /v1/entries`: the feed of changes, or the listing by date if one of its parameters is present.
enum PageFields {
    enum Page: Sendable {
        case feed(FeedStart, limit: Int)
        case byDate(DateQuery)
    }

    static let limit = 1...200
    static let usualLimit = 50

    static func read(_ query: inout Query) throws(DiaryError) -> Page {
        let size = query.integer("limit", in: limit) ?? usualLimit
        let since = query.text("since", max: 64)
        let from = query.day("from")
        let to = query.day("to")
        let order = query.choice("order", of: DateOrder.self)
        let cursor = query.text("cursor", max: 64)
        var after: DatePosition?
        if let cursor {
            after = DateCursor(parsing: cursor)?.position
            if after == nil { query.refuse("cursor", "is not a cursor of this listing") }
        }
        if let from, let to, from > to { query.refuse("to", "must not be before from") }
        let isByDate = from != nil || to != nil || order != nil || cursor != nil
        if isByDate, since != nil { query.refuse("since", "cannot be combined with from, to, order or cursor") }
        let start = start(since, &query)
        try query.finish()
        return isByDate
            ? .byDate(DateQuery(from: from, to: to, order: order ?? .newestFirst, after: after, limit: size)) : .feed(start, limit: size)
    }

    /// The query of `GET /v1/changes`.
    static func changes(_ query: inout Query) throws(DiaryError) -> (start: FeedStart, limit: Int) {
        let size = query.integer("limit", in: limit) ?? usualLimit
        let since = query.text("since", max: 64)
        let start = start(since, &query)
        try query.finish()
        return (start, size)
    }

    /// A position from an earlier answer, or a time.
    private static func start(_ since: String?, _ query: inout Query) -> FeedStart {
        guard let since else { return .beginning }
        if let cursor = SyncCursor(parsing: since) {
            return .after(changeNumber: cursor.changeNumber, purgedThrough: cursor.purgedThrough, epoch: cursor.epoch)
        }
        // A `+` that was not escaped arrives as a space.
        if let time = RFC3339.parse(String(since.map { $0 == " " ? "+" : $0 })) { return .changedSince(time) }
        query.refuse("since", "must be a next_since of an earlier answer or an RFC 3339 time")
        return .beginning
    }
}
