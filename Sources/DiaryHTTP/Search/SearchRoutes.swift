import DiaryCore
import HTTPListener
import HTTPTypes
import WireFormats

/// Search over the words of a diary.
struct SearchRoutes: Sendable {
    let search: SearchFeature
    let policies: RatePolicies

    var routes: [Route] { [Route(.get, "/v1/search", limits: policies.searches, handler: find)] }

    private func find(_ context: MemberContext) async throws -> Reply {
        var query = context.query()
        let (words, entries) = try SearchFields.read(&query)
        let connection = context.exchange.connection
        let page = try await search.entries.run(words, in: entries, for: context.member) { connection?.isAwaited ?? true }
        EntryRoutes.logDamage(of: page.items.map(\.entry), context)
        return Reply.json(capacity: 256 + page.items.count * 1_500) { w in
            w.page(page.items, next: page.next) { found, w in
                w.member("entry") { EntryPayload.write(found.entry, .summary, to: &$0) }
                w.array("snippets", found.snippets) { w, snippet in w.object { SnippetPayload.write(snippet, to: &$0) } }
            }
        }
    }
}

enum SearchFields {
    static func read(_ query: inout Query) throws(DiaryError) -> (words: SearchWords, entries: DateQuery) {
        let text = query.text("q", max: SearchWords.longest)
        let words = text.flatMap { SearchWords($0) }
        if text == nil, !query.errors.contains(where: { $0.pointer == "query/q" }) { query.refuse("q", "is required") }
        if text != nil, words == nil { query.refuse("q", "has no word") }
        let (from, to) = (query.day("from"), query.day("to"))
        if let from, let to, from > to { query.refuse("to", "must not be before from") }
        let filter = PageFields.filter(&query)
        let (after, limit) = try ListFields.page(&query)
        guard let words else { throw DiaryError(.invalidFields) }
        let position = after.map { EntryPosition(.recordedAt($0.at), id: EntryID($0.id)) }
        return (words, DateQuery(from: from, to: to, order: .newestFirst, after: position, limit: limit, filter: filter))
    }
}

enum SnippetPayload {
    static func write(_ snippet: SearchSnippet, to w: inout JSONWriter) {
        w.member("field", snippet.field.rawValue)
        w.member("text", snippet.text)
        w.array("ranges", snippet.ranges) { w, range in
            w.object {
                $0.member("start", range.lowerBound)
                $0.member("end", range.upperBound)
            }
        }
        w.member("at_s", snippet.at)
    }
}
