import DiaryTesting
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryHTTP

@Suite("Lists on the wire") struct ListRouteTests {
    private static let member = "Authorization: Bearer good-token"

    @Test(
        "every list has next_cursor and has_more, and one without pages ends at once",
        arguments: [
            "/v1/speakers", "/v1/sessions", "/v1/me/tokens", "/v1/me/identities", "/v1/me/events", "/v1/exports", "/v1/entries",
            "/v1/entries/days?year=2026", "/v1/entries/on-this-day", "/v1/entries/on-this-day?date=02-29", "/v1/tags", "/v1/moods",
        ])
    func members(path: String) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let answer = try await server.ask("GET", path, headers: [Self.member])

            #expect(answer.status == 200)
            #expect(answer.json?["next_cursor"] == .null && answer.json?["has_more"] == .bool(false))
        }
    }

    @Test("a page that is not the last says where the next one begins", arguments: ["/v1/me/events", "/v1/exports"])
    func pages(path: String) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let page = try await server.ask("GET", "\(path)?limit=2", headers: [Self.member])

            #expect(page.json?["has_more"] == .bool(true))
            guard case .string(let cursor)? = page.json?["next_cursor"] else {
                Issue.record("no cursor")
                return
            }
            #expect(ListPosition(parsing: cursor) != nil)
            #expect(try await server.ask("GET", "\(path)?limit=2&cursor=\(cursor)", headers: [Self.member]).status == 200)
            for parameter in ["cursor=x", "cursor=", "limit=0", "limit=201", "order=asc"] {
                let refused = try await server.ask("GET", "\(path)?\(parameter)", headers: [Self.member])
                #expect(refused.pointers == ["query/\(parameter.prefix(while: { $0 != "=" }))"], "\(parameter)")
            }
        }
    }

    @Test("exports are listed by schedule and state, imports by state")
    func filters() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            for query in ["exports?status=ready", "exports?schedule_id=\(RouteTests.id)&status=revoked", "imports?status=finished"] {
                #expect(try await server.ask("GET", "/v1/\(query)", headers: [Self.member]).status == 200, "\(query)")
            }
            for (query, name) in [
                ("exports?status=done", "status"), ("exports?schedule_id=1", "schedule_id"), ("imports?status=ready", "status"),
            ] {
                let refused = try await server.ask("GET", "/v1/\(query)", headers: [Self.member])
                #expect(refused.pointers == ["query/\(name)"], "\(query)")
            }
        }
    }

    @Test("days are counted for one month or one year, and for nothing else")
    func days() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            func get(_ query: String) async throws -> Answer {
                try await server.ask("GET", "/v1/entries/days\(query)", headers: [Self.member])
            }
            for query in ["?month=2026-02", "?month=2024-02", "?month=0001-01", "?year=9999"] {
                #expect(try await get(query).text == #"{"items":[],"next_cursor":null,"has_more":false}"#, "\(query)")
            }
            for query in ["", "?month=", "?month=2026-13", "?month=2026-2", "?month=2026-07-01", "?month=0000-01", "?month=2026-02-"] {
                #expect(try await get(query).pointers == ["query/month"], "\(query)")
            }
            for query in ["?year=26", "?year=0000", "?year=", "?month=2026-07&year=2026"] {
                #expect(try await get(query).pointers == ["query/year"], "\(query)")
            }
        }
    }

    @Test(
        "the first and the last day of a month are the calendar's",
        arguments: [("2026-02", "2026-02-28"), ("2024-02", "2024-02-29"), ("2026-06", "2026-06-30"), ("2026-12", "2026-12-31")])
    func months(month: String, last: String) throws {
        var query = Query("month=\(month)")

        let range = try PageFields.days(&query)

        #expect(range.from.description == "\(month)-01" && range.to.description == last)
    }

    @Test("a summary has the members of an entry, null for its long texts, and an excerpt of the shown one")
    func summary() throws {
        let entry = Entry(
            facts: Stub.recording.facts, personal: PersonalPart(title: "Lake", edited: "We swam.", tags: ["summer"], mood: "calm"),
            machine: MachinePart(raw: "we swam"), version: 1)
        func members(_ view: EntryView) throws -> JSONObject {
            guard case .object(let members) = try JSONParser.parse(JSONWriter.object { EntryPayload.write(entry, view, to: &$0) }) else {
                throw DiaryError(.malformedJSON)
            }
            return members
        }

        let (full, summary) = (try members(.full), try members(.summary))

        #expect(Set(full.names).subtracting(["transcription"]) == Set(summary.names).subtracting(["excerpt"]))
        #expect(full["text"] == .string("We swam.") && summary["excerpt"] == .string("We swam."))
        let texts: Set = ["transcript_raw", "transcript_clean", "transcript_edited", "text"]
        for name in summary.names where name != "excerpt" {
            #expect(summary[name] == (texts.contains(name) ? .null : full[name]), "\(name)")
        }
    }

    @Test("transcription names each gap, however many there are")
    func gaps() throws {
        for count in 0...3 {
            let gaps = (0..<count).map { VoiceSpan(start: Double($0 * 10), end: Double($0 * 10) + 5.5) }
            let machine = MachinePart(raw: "we swam", coverage: VoiceCoverage(thousandths: 750, gaps: gaps))
            let entry = Entry(facts: Stub.recording.facts, personal: PersonalPart(), machine: machine, version: 1)

            guard case .object(let members) = try JSONParser.parse(JSONWriter.object { EntryPayload.write(entry, .full, to: &$0) }) else {
                throw DiaryError(.malformedJSON)
            }

            let shown = members["transcription"]?.object?["gaps"]?.array ?? []
            #expect(shown.count == count)
            #expect(shown.last?.object.map { Set($0.names) } == (count == 0 ? nil : ["start", "end"]))
        }
    }

    @Test("cleanup says what became of the cleaned text; it is left out of a summary and where there was none")
    func cleanup() throws {
        func cleanup(_ machine: MachinePart, _ view: EntryView = .full) throws -> JSONValue? {
            let entry = Entry(facts: Stub.recording.facts, personal: PersonalPart(), machine: machine, version: 1)
            guard case .object(let members) = try JSONParser.parse(JSONWriter.object { EntryPayload.write(entry, view, to: &$0) }) else {
                throw DiaryError(.malformedJSON)
            }
            return members["cleanup"]
        }
        let rejected = MachinePart(raw: "we swam", cleanup: Cleanup(thousandths: 431, reason: .newNumber))

        guard case .object(let members)? = try cleanup(rejected) else {
            Issue.record("no cleanup")
            return
        }
        #expect(members["state"] == .string("rejected") && members["reason"] == .string("new_number"))
        #expect(members.names.contains("score"))
        #expect(try cleanup(rejected, .summary) == nil && cleanup(MachinePart(raw: "we swam")) == nil)
        guard
            case .object(let accepted)? = try cleanup(MachinePart(raw: "we swam", clean: "We swam.", cleanup: Cleanup(thousandths: 1_000)))
        else {
            Issue.record("no cleanup")
            return
        }
        #expect(accepted["state"] == .string("accepted") && accepted["reason"] == .null)
    }

    @Test("favorite is a boolean at creation and in a change, and null clears it")
    func favorite() throws {
        func read(_ json: String) throws -> Fields { Fields(try JSONParser.parse(Array(json.utf8))) }
        for (json, expected) in [(#"{"kind":"text","text":"a"}"#, false), (#"{"kind":"text","text":"a","favorite":true}"#, true)] {
            var f = try read(json)
            #expect(EntryFields.draft(&f, idempotencyKey: nil).facts.favorite == expected)
            try f.finish()
        }
        for (json, expected) in [
            ("{}", nil), (#"{"favorite":true}"#, true), (#"{"favorite":false}"#, false), (#"{"favorite":null}"#, false),
        ] as [(String, Bool?)] {
            var f = try read(json)
            #expect(EntryFields.patch(&f).facts.favorite == expected, "\(json)")
            try f.finish()
        }
        var wrong = try read(#"{"favorite":"yes"}"#)
        _ = EntryFields.patch(&wrong)
        #expect(wrong.errors.map(\.pointer) == ["/favorite"])
    }
}
