import DiaryCore
import FoundationEssentials
import WireFormats

/// The queries of the lists of entries.
enum PageFields {
    enum Page: Sendable {
        case feed(FeedQuery)
        case byDate(DateQuery, EntryView)
    }

    struct FeedQuery: Sendable {
        var start: FeedStart
        var limit: Int
        var view: EntryView
    }

    /// `GET /v1/entries`: the listing, or with `since` the feed. What has a default may be sent beside `since`, with that value.
    static func read(_ query: inout Query) throws(DiaryError) -> Page {
        let size = ListFields.limit(&query)
        let view = query.choice("view", of: EntryView.self) ?? .full
        let since = query.text("since", max: ListFields.cursorLength)
        let from = query.day("from")
        let to = query.day("to")
        let sort = query.choice("sort", of: EntrySort.self) ?? .recordedAt
        let order = query.choice("order", of: DateOrder.self) ?? .newestFirst
        let cursor = query.text("cursor", max: ListFields.cursorLength)
        let filter = filter(&query)
        if let since {
            if sort != .recordedAt { query.refuse("sort", "cannot be combined with since, which has an order of its own") }
            if order != .newestFirst { query.refuse("order", "cannot be combined with since, which has an order of its own") }
            let others: [(String, Bool)] = [
                ("from", from != nil), ("to", to != nil), ("cursor", cursor != nil), ("kind", filter.kind != nil),
                ("status", filter.status != nil), ("favorite", filter.isFavorite != nil),
                ("speaker", filter.speaker != nil), ("tag", filter.labels.contains { $0.kind == .tag }),
                ("mood", filter.labels.contains { $0.kind == .mood }), ("metadata", filter.labels.contains { $0.kind == .metadata }),
            ]
            for (name, isPresent) in others where isPresent { query.refuse(name, "cannot be combined with since") }
            let start = start(since, &query)
            try query.finish()
            return .feed(FeedQuery(start: start, limit: size, view: view))
        }
        let after = cursor.flatMap { EntryPosition(parsing: $0) }
        if cursor != nil, after?.sort != sort { query.refuse("cursor", "is not a cursor of this list") }
        if let from, let to, from > to { query.refuse("to", "must not be before from") }
        try query.finish()
        return .byDate(DateQuery(from: from, to: to, sort: sort, order: order, after: after, limit: size, filter: filter), view)
    }

    /// `GET /v1/changes`.
    static func changes(_ query: inout Query) throws(DiaryError) -> FeedQuery {
        let size = ListFields.limit(&query)
        let view = query.choice("view", of: EntryView.self) ?? .full
        let since = query.text("since", max: ListFields.cursorLength)
        let start = start(since, &query)
        try query.finish()
        return FeedQuery(start: start, limit: size, view: view)
    }

    /// `GET /v1/entries/days`: the first and the last day of a month or a year.
    static func days(_ query: inout Query) throws(DiaryError) -> (from: CalendarDay, to: CalendarDay) {
        let month = query.text("month", max: 64)
        let year = query.text("year", max: 64)
        var range: (from: CalendarDay, to: CalendarDay)?
        switch (month, year) {
        case (let month?, nil):
            let last = ["31", "30", "29", "28"].lazy.compactMap { CalendarDay("\(month)-\($0)") }.first
            if let from = CalendarDay("\(month)-01"), let last { range = (from, last) }
            if range == nil { query.refuse("month", "must be a month, YYYY-MM") }
        case (nil, let year?):
            if let from = CalendarDay("\(year)-01-01"), let to = CalendarDay("\(year)-12-31") { range = (from, to) }
            if range == nil { query.refuse("year", "must be a year, YYYY") }
        case (nil, nil): query.refuse("month", "is required, or a year")
        default: query.refuse("year", "cannot be combined with month")
        }
        try query.finish()
        guard let range else { throw DiaryError(.invalidFields) }
        return range
    }

    static func filter(_ query: inout Query) -> EntryFilter {
        var labels = Set<EntryLabel>()
        let tags = query.texts("tag", maxCount: PersonalPart.tagCount, max: PersonalPart.tagLength)
        if tags.contains("") { query.refuse("tag", "must not be empty") }
        for tag in tags { labels.insert(EntryLabel(.tag, tag)) }
        if let mood = word("mood", max: PersonalText.mood.length, &query) { labels.insert(EntryLabel(.mood, mood)) }
        for (key, value) in query.texts(below: "metadata.", max: EntryMetadata.valueLength) {
            if !EntryMetadata.isKey(key) || value.isEmpty { query.refuse("metadata.\(key)", "must have a key and a value") }
            labels.insert(.metadata(key, value))
        }
        return EntryFilter(
            kind: query.choice("kind", of: EntryKind.self), status: query.choice("status", of: EntryStatus.self),
            isFavorite: query.bool("favorite"), speaker: query.id("speaker"), labels: labels)
    }

    private static func word(_ name: String, max: Int, _ query: inout Query) -> String? {
        guard let text = query.text(name, max: max) else { return nil }
        if text.isEmpty { query.refuse(name, "must not be empty") }
        return text
    }

    /// A position from an earlier answer, a time, or 0 for the beginning.
    private static func start(_ since: String?, _ query: inout Query) -> FeedStart {
        guard let since, since != "0" else { return .beginning }
        if let cursor = SyncCursor(parsing: since) {
            return .after(changeNumber: cursor.changeNumber, purgedThrough: cursor.purgedThrough, epoch: cursor.epoch)
        }
        // A `+` that was not escaped arrives as a space.
        if let time = RFC3339.parse(String(since.map { $0 == " " ? "+" : $0 })) { return .changedSince(time) }
        query.refuse("since", "must be a next_since of an earlier answer, an RFC 3339 time, or 0")
        return .beginning
    }
}
