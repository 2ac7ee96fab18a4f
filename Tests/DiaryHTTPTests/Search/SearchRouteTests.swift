import DiaryTesting
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryHTTP

@Suite("Search on the wire") struct SearchRouteTests {
    private static let member = "Authorization: Bearer good-token"

    @Test("a search is answered as a list")
    func list() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let query = "q=river&tag=a&tag=b&kind=voice&favorite=true&from=2026-01-01&limit=5"
            let answer = try await server.ask("GET", "/v1/search?\(query)", headers: [Self.member])

            #expect(answer.status == 200 && answer.text == #"{"items":[],"next_cursor":null,"has_more":false}"#)
            #expect(try await server.ask("GET", "/v1/search?q=river").status == 401)
        }
    }

    @Test(
        "a query without a word, and a parameter that does not fit, are refused by name",
        arguments: [
            ("", "q"), ("q=", "q"), ("q=%22-%22", "q"), ("q=a&q=b", "q"), ("q=river&cursor=x", "cursor"), ("q=river&limit=201", "limit"),
            ("q=river&to=2026-01-01&from=2026-01-02", "to"), ("q=river&order=asc", "order"), ("q=river&view=full", "view"),
        ])
    func refusals(query: String, name: String) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/v1/search?\(query)", headers: [Self.member])

            #expect(answer.status == 422 && answer.pointers == ["query/\(name)"], "\(query)")
        }
    }

    @Test("words may come as a form writes them, and 200 of their characters")
    func spelling() throws {
        for (raw, terms) in [("q=by+the%20river", 3), ("q=%22by+the+river%22", 1), ("q=" + String(repeating: "%C3%A9", count: 200), 1)] {
            var query = Query(raw)
            let words = try SearchFields.read(&query).words
            #expect(words.terms.count == terms, "\(raw)")
        }
        var long = Query("q=" + String(repeating: "a", count: 201))
        #expect(throws: DiaryError.self) { _ = try SearchFields.read(&long) }
    }

    @Test("a snippet is written with its ranges and its time")
    func payload() throws {
        let snippet = SearchSnippet(field: .text, text: "by the river", ranges: [7..<12], at: 12.5)

        let text = String(decoding: JSONWriter.object { SnippetPayload.write(snippet, to: &$0) }, as: UTF8.self)

        #expect(text == #"{"field":"text","text":"by the river","ranges":[{"start":7,"end":12}],"at_s":12.5}"#)
    }
}
