import DiaryCore
import DiaryHTTP
import FoundationEssentials
import TestHTTPClient
import Testing
import WireFormats

@Suite("JSON bodies") struct BodyTests {
    /// Not JSON at all: 400 with the body's pointer.
    static let malformed: [String] = [
        "", " ", "{", "}", "[", "]", "{]", "nul", "tru", "NaN", "Infinity", "undefined", "'a'", "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\":}",
        "{\"a\":1,}",
        "{,}", "{\"a\":1 \"b\":2}", "[1,]", "[1 2]", "{\"a\":1}x", "{}{}", "{\"a\":01}", "{\"a\":+1}", "{\"a\":1.}", "{\"a\":.5}",
        "{\"a\":1e}", "{\"a\":-}",
        "{\"a\":0x10}", "{\"a\":\"\n\"}", "{\"a\":\"\t\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\udc00\"}",
        "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"unended", "{\"a\":\"\\", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"a\":\"\0\"}",
        "\u{FEFF}{}",
        "{\"a\":\(String(repeating: "9", count: 65))}", "// c\n{}", "{\"a\":/**/1}",
        String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
        String(repeating: "{\"a\":", count: 40) + "1" + String(repeating: "}", count: 40),
        String(repeating: "[", count: 100_000),
    ]

    @Test("what is not JSON is 400 and says where, never 500 (F1, F5, F8)")
    func malformedBodies() async throws {
        try await withServer { server in
            let wire = try await Wire.open(server.port)
            for body in Self.malformed {
                try await wire.send(Harness.request("POST", "/v1/entries", headers: ["Content-Type: application/json"], body: body))
                let answer = try await wire.answer()
                #expect(answer.status == 400, "\(body.prefix(40))")
                #expect(answer.code == "malformed_json", "\(body.prefix(40))")
                #expect(answer.pointers == [""])
            }
        }
    }

    @Test("bytes that are not UTF-8 are 400")
    func notUTF8() async throws {
        try await withServer { server in
            for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] {
                let body = Array("{\"title\":\"".utf8) + bytes + Array("\"}".utf8)
                let head = "POST /v1/entries HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
                let wire = try await Wire.open(server.port)
                try await wire.send(Array(head.utf8) + body)
                #expect(try await wire.answer().status == 400)
                await wire.close()
            }
        }
    }

    @Test(
        "a field that is not acceptable is 422 and named by its pointer",
        arguments: [
            ("[]", ""), ("\"text\"", ""), ("1", ""), ("null", ""), ("{}", "/kind"), (#"{"kind":null}"#, "/kind"),
            (#"{"kind":"x"}"#, "/kind"),
            (#"{"kind":1}"#, "/kind"), (#"{"kind":"text","id":"17"}"#, "/id"), (#"{"kind":"text","id":17}"#, "/id"),
            (#"{"kind":"text","title":"aaaaaaaaaaaaaaaaaaaaa"}"#, "/title"), (#"{"kind":"text","title":"a\u0000"}"#, "/title"),
            (#"{"kind":"text","title":["a"]}"#, "/title"), (#"{"kind":"text","recorded_at":"2026-01-01"}"#, "/recorded_at"),
            (#"{"kind":"text","recorded_at":"2026-01-01T00:00:00"}"#, "/recorded_at"),
            (#"{"kind":"text","recorded_at":1}"#, "/recorded_at"),
            (#"{"kind":"text","day":"2026-02-30"}"#, "/day"), (#"{"kind":"text","size_bytes":0}"#, "/size_bytes"),
            (#"{"kind":"text","size_bytes":1.5}"#, "/size_bytes"), (#"{"kind":"text","size_bytes":1e400}"#, "/size_bytes"),
            (#"{"kind":"text","size_bytes":99999999999999999999}"#, "/size_bytes"), (#"{"kind":"text","size_bytes":"5"}"#, "/size_bytes"),
            (#"{"kind":"text","duration_s":-0.1}"#, "/duration_s"), (#"{"kind":"text","duration_s":1e999}"#, "/duration_s"),
            (#"{"kind":"text","tags":"a"}"#, "/tags"), (#"{"kind":"text","tags":["a","b","c","d"]}"#, "/tags"),
            (#"{"kind":"text","tags":["a",1]}"#, "/tags/1"), (#"{"kind":"text","tags":["aaaaaa"]}"#, "/tags/0"),
            (#"{"kind":"text","tags":[""]}"#, "/tags/0"),
            (#"{"kind":"text","tags":["\u0000"]}"#, "/tags/0"), (#"{"kind":"text","private":"true"}"#, "/private"),
            (#"{"kind":"text","private":1}"#, "/private"),
            (#"{"kind":"text","sha256":"abc"}"#, "/sha256"), (#"{"kind":"text","blob":"***"}"#, "/blob"),
            (#"{"kind":"text","blob":"AAAAAAAAAAAAAAAA"}"#, "/blob"),
            (#"{"kind":"text","place":1}"#, "/place"), (#"{"kind":"text","place":{}}"#, "/place/name"),
        ])
    func badFields(body: String, pointer: String) async throws {
        try await withServer { server in
            let answer = try await server.ask("POST", "/v1/entries", headers: ["Content-Type: application/json"], body: body)
            ProblemTests.expectShape(answer, 422, "invalid_fields")
            #expect(answer.pointers.contains(pointer))
        }
    }

    @Test(
        "a text's length is counted in code points, whatever bytes they have",
        arguments: [
            (String(repeating: "a", count: 20), 20, 1, true), (String(repeating: "a", count: 21), 20, 1, false),
            (String(repeating: "ü", count: 20), 20, 1, true), (String(repeating: "ü", count: 21), 20, 1, false),
            (String(repeating: "😀", count: 20), 20, 1, true), (String(repeating: "😀", count: 21), 20, 1, false),
            (String(repeating: "e\u{301}", count: 10), 20, 1, true), (String(repeating: "e\u{301}", count: 11), 20, 1, false),
            ("", 20, 0, true), ("", 20, 1, false), ("a", 20, 1, true), ("😀", 20, 1, true), ("😀😀", 20, 3, false), ("😀😀😀", 20, 3, true),
            ("abc", 20, 4, false), ("abcd", 20, 4, true), ("a\u{0}", 20, 1, false),
        ])
    func codePoints(text: String, max: Int, min: Int, isAccepted: Bool) {
        var fields = Fields(.object(["t": .string(text)]))
        #expect(fields.text("t", max: max, min: min) == (isAccepted ? text : nil))
        #expect(fields.errors.map(\.pointer) == (isAccepted ? [] : ["/t"]))
    }

    @Test(
        "a text of a PATCH is cleared by null and by an empty text",
        arguments: [(JSONValue.null, "clear"), (.string(""), "clear"), (.string("a"), "a"), (.number("1"), "absent")])
    func emptyPatch(value: JSONValue, expected: String) {
        var fields = Fields(.object(["t": value]))
        let read =
            switch fields.patchText("t", max: 20) {
            case .absent: "absent"
            case .clear: "clear"
            case .set(let text): text
            }
        #expect(read == expected)
        #expect(fields.errors.map(\.pointer) == (expected == "absent" ? ["/t"] : []))
    }

    @Test(
        "a word and a count of a PATCH are cleared by null and by an empty text or 0",
        arguments: [
            ("word", JSONValue.null, "clear"), ("word", .string(""), "clear"), ("word", .string("de"), "de"), ("word", .number("0"), nil),
            ("count", .null, "clear"), ("count", .number("0"), "clear"), ("count", .number("0.0"), "clear"), ("count", .number("7"), "7"),
            ("count", .number("8"), nil), ("count", .number("-1"), nil), ("count", .string(""), nil),
        ] as [(String, JSONValue, String?)])
    func clearedPatch(name: String, value: JSONValue, expected: String?) {
        var fields = Fields(.object([name: value]))
        let patch: Patch<String> =
            if name == "word" {
                fields.patchWord(name) { $0.text(name, max: 20) }
            } else {
                switch fields.patchCount(name, max: 7) {
                case .absent: .absent
                case .clear: .clear
                case .set(let count): .set("\(count)")
                }
            }
        switch patch {
        case .absent: #expect(expected == nil)
        case .clear: #expect(expected == "clear")
        case .set(let text): #expect(expected == text)
        }
        #expect(fields.errors.map(\.pointer) == (expected == nil ? ["/\(name)"] : []))
    }

    @Test(
        "a day is a date, or the date of a date-time as it is written",
        arguments: [
            ("2026-07-04", "2026-07-04"), ("2026-07-04T00:00:00Z", "2026-07-04"), ("2026-07-04T23:30:00.123-11:00", "2026-07-04"),
            ("2026-07-04T00:30:00+02:00", "2026-07-04"), ("2026-07-04T", nil), ("2026-07-04 ", nil), ("2026-07-04T24:00:00Z", nil),
            ("2026-02-30T00:00:00Z", nil), ("2026-07-04T00:00:00", nil), ("2026-7-4", nil), ("", nil),
        ] as [(String, String?)])
    func days(text: String, expected: String?) {
        var fields = Fields(.object(["day": .string(text)]))
        var query = Query("day=\(text.replacing("+", with: "%2B").replacing(" ", with: "%20"))")
        #expect(fields.day("day")?.description == expected)
        #expect(query.day("day")?.description == expected)
    }

    @Test("all errors are reported at once")
    func allAtOnce() async throws {
        try await withServer { server in
            let answer = try await server.ask(
                "POST", "/v1/entries", headers: ["Content-Type: application/json; charset=UTF-8"],
                body: #"{"id":1,"kind":2,"day":3,"place":{"name":4}}"#)
            #expect(answer.pointers == ["/id", "/kind", "/day", "/place/name"])
        }
    }

    @Test("a member that no call asks for is refused, in a nested object too, and told which there are")
    func others() async throws {
        try await withServer { server in
            let long = String(repeating: "a", count: 65)
            let body = #"{"kind":"text","titel":"a","place":{"name":"Köln","lat":1},"\#(long)":null,"a/b":null}"#
            let answer = try await server.ask("POST", "/v1/entries", headers: ["Content-Type: application/json"], body: body)

            ProblemTests.expectShape(answer, 422, "invalid_fields")
            #expect(answer.pointers == ["/place/lat", "/a~1b", "", "/titel"])
            #expect(answer.text.contains("is not a member here: name\""))
            #expect(answer.text.contains("is not a member here: blob, day, duration_s, id, kind, place, private, recorded_at, sha256, "))
            #expect(!answer.text.contains(long))
        }
    }

    @Test("valid fields are read with their types")
    func goodFields() async throws {
        try await withServer { server in
            let body = #"""
                {"id":"01890A5D-AC96-774B-BCCE-B302099A8057","kind":"voice","title":null,"recorded_at":"2026-07-04T11:30:00.25+02:00","day":"2026-07-04",
                "size_bytes":1e2,"duration_s":0,"tags":["a","\ud83d\ude00"],"private":true,"blob":"AAECAw==","place":{"name":"Köln"}}
                """#
            let answer = try await server.ask("POST", "/v1/entries", headers: ["content-type: APPLICATION/JSON"], body: body)

            #expect(answer.status == 201)
            #expect(answer.json?["id"] == .string("01890a5d-ac96-774b-bcce-b302099a8057"))
            #expect(answer.json?["title_state"] == .string("clear"))
            #expect(answer.json?["recorded_at"] == .string("2026-07-04T09:30:00.250Z"))
            #expect(answer.json?["size_bytes"] == .number("100"))
            #expect(answer.json?["tags"] == .array([.string("a"), .string("😀")]))
            #expect(answer.json?["blob_bytes"] == .number("4"))
            #expect(answer.json?["place"] == .string("Köln"))
            #expect(answer.json?["hash_bytes"] == .null)
        }
    }

    @Test(
        "a query is strict: known names, once each, readable values",
        arguments: [
            ("limit=0", "query/limit"), ("limit=101", "query/limit"), ("limit=x", "query/limit"), ("limit=%31%", "query/limit"),
            ("limit=", "query/limit"),
            ("limit=1&limit=2", "query/limit"), ("form=2026-01-01", "query/form"), ("from=2026-13-01", "query/from"),
            ("from=%00", "query/from"),
            ("from=%FF", "query/from"), ("%zz=1", "query"), ("=1", "query"), ("a%20b=1", "query"), ("since=yesterday", "query/since"),
            ("limit=99999999999999999999", "query/limit"), ("limit=+5", "query/limit"),
        ])
    func query(query: String, pointer: String) async throws {
        try await withServer { server in
            let answer = try await server.ask("GET", "/v1/list?\(query)")
            ProblemTests.expectShape(answer, 422, "invalid_fields")
            #expect(answer.pointers.contains(pointer))
        }
    }

    @Test("a valid query is read")
    func goodQuery() async throws {
        try await withServer { server in
            let answer = try await server.ask("GET", "/v1/list?from=2026%2D01-02&limit=7&since=2026-01-01T00:00:00+01:00")
            #expect(answer.json?["from"] == .string("2026-01-02"))
            #expect(answer.json?["limit"] == .number("7"))
            #expect(answer.json?["since"] == .string("2025-12-31T23:00:00.000Z"))
        }
    }
}
