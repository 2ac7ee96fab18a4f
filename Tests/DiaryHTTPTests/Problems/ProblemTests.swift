import DiaryHTTP
import HTTPListener
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Answers") struct ProblemTests {
    /// The shape of every error.
    static func expectShape(_ answer: Answer, _ status: Int, _ code: String) {
        #expect(answer.status == status)
        #expect(answer.header("content-type") == "application/problem+json")
        #expect(answer.code == code)
        for member in ["type", "title", "status", "code", "request_id", "retryable", "errors"] {
            #expect(answer.json?[member] != nil, "\(member)")
        }
        #expect(answer.json?["status"] == .number(String(status)))
        #expect(answer.json?["type"] == .string("\(Harness.publicURL)/problems/\(code)"))
        #expect(answer.json?["request_id"] == answer.header("x-request-id").map { .string($0) })
        #expect(answer.header("cache-control") == "no-store")
        #expect(answer.header("x-content-type-options") == "nosniff")
        #expect(answer.header("server") == nil)
    }

    @Test("every error has the one problem shape, with the fields its status requires (F1)")
    func shapes() async throws {
        try await withServer { server in
            Self.expectShape(try await server.ask("GET", "/v1/nowhere"), 404, "not_found")
            Self.expectShape(try await server.ask("GET", "/v1/open/"), 404, "not_found")
            Self.expectShape(try await server.ask("GET", "/v1/entries/17", headers: ["Authorization: Bearer good-token"]), 404, "not_found")
            Self.expectShape(try await server.ask("GET", "/v1/%zz"), 400, "malformed_request")
            Self.expectShape(try await server.ask("GET", "/v1/a%00b"), 400, "malformed_request")

            let wrongMethod = try await server.ask("PUT", "/v1/entries/17")
            Self.expectShape(wrongMethod, 405, "method_not_allowed")
            #expect(wrongMethod.header("allow") == "DELETE, GET, HEAD, OPTIONS")
            #expect(wrongMethod.json?["detail"] == .string("The address takes DELETE, GET, HEAD, OPTIONS."))
            let unknownMethod = try await server.raw("BREW /v1/open HTTP/1.1\r\nHost: a\r\n\r\n")
            Self.expectShape(unknownMethod, 405, "method_not_allowed")
            #expect(unknownMethod.header("allow") != nil)

            let anonymous = try await server.ask("GET", "/v1/me")
            Self.expectShape(anonymous, 401, "unauthorized")
            #expect(anonymous.header("www-authenticate") == "Bearer")

            Self.expectShape(
                try await server.ask("POST", "/v1/entries", headers: ["Content-Type: text/plain"], body: "{}"), 415,
                "unsupported_media_type")
            Self.expectShape(try await server.ask("POST", "/v1/entries", body: "{}"), 415, "unsupported_media_type")
            Self.expectShape(
                try await server.ask("POST", "/v1/entries", headers: ["Content-Type: application/json"], body: "{"), 400, "malformed_json")

            let down = try await server.ask("GET", "/v1/down")
            Self.expectShape(down, 503, "dependency_unavailable")
            #expect((1...5).contains(Int(down.header("retry-after") ?? "") ?? 0))
        }
    }

    @Test(
        "a refusal by the listener has the same shape, the same fields and the same log line",
        arguments: [
            ("GET /v1/open HTTP/9\r\n\r\n", 400, "malformed_request"),
            ("BREW /v1/open HTTP/1.1\r\n\r\n", 405, "method_not_allowed"),
            ("GET /v1/open HTTP/1.1\r\nHost: a\r\n", 408, "request_timeout"),
            ("GET /" + String(repeating: "a", count: 8200), 414, "uri_too_long"),
            ("GET / HTTP/1.1\r\nX-A: " + String(repeating: "a", count: 17_000), 431, "headers_too_large"),
        ])
    func refusals(head: String, status: Int, code: String) async throws {
        try await withServer(limits: { if status == 408 { $0.head = 0.3 } }) { server in
            let answer = try await server.raw(head)

            Self.expectShape(answer, status, code)
            #expect(answer.header("connection") == "close")
            #expect(answer.header("content-length") == "\(answer.body.count)")
            #expect(answer.header("date")?.hasSuffix(" GMT") == true)
            #expect((answer.header("allow") == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT") == (status == 405))
            let id = try #require(answer.header("x-request-id"))
            #expect(
                server.lines.all.contains {
                    $0.contains("\"status\":\(status)") && $0.contains("\"code\":\"\(code)\"") && $0.contains(id)
                        && $0.contains("\"method\":\"-\"") && $0.contains("\"route\":\"-\"")
                })
        }
    }

    @Test("an unexpected error is a 500 that shows the client nothing and the log its type alone")
    func unexpected() async throws {
        try await withServer { server in
            let answer = try await server.ask("GET", "/v1/boom")

            Self.expectShape(answer, 500, "internal_error")
            #expect(!answer.text.contains("canary"))
            #expect(server.lines.all.contains { $0.contains("\"cause\":\"Boom\"") && $0.contains("\"level\":\"error\"") })
            #expect(!server.lines.all.contains { $0.contains("canary") })
        }
    }

    @Test(
        "only one well-formed bearer token opens a member's operation",
        arguments: [
            ("Authorization: Bearer good-token", 200), ("Authorization: bearer good-token", 200), ("authorization: BEARER good-token", 200),
            ("Authorization: Bearer bad", 401), ("Authorization: Basic good-token", 401), ("Authorization: Bearer", 401),
            ("Authorization: good-token", 401), ("Authorization: Bearer good-token good-token", 401),
            ("Authorization: Bearer good-token,", 401),
            ("Authorization: Bearer good-token\r\nAuthorization: Bearer good-token", 401), ("X-Nothing: 1", 401),
        ])
    func bearer(header: String, status: Int) async throws {
        try await withServer { server in
            let answer = try await server.ask("GET", "/v1/me", headers: [header])
            #expect(answer.status == status)
        }
    }

    @Test("HEAD answers as GET without a body, OPTIONS with the methods")
    func headAndOptions() async throws {
        try await withServer { server in
            let wire = try await Wire.open(server.port)
            for target in ["/v1/open", "/v1/known", "/v1/nowhere"] {
                try await wire.send(Harness.request("GET", target))
                let get = try await wire.answer()
                try await wire.send(Harness.request("HEAD", target))
                let head = try await wire.answer(toHead: true)
                #expect(head.status == get.status)
                if target != "/v1/nowhere" { #expect(head.header("content-length") == get.header("content-length")) }
            }
            // Had HEAD sent a body, this answer could not be read.
            try await wire.send(Harness.request("OPTIONS", "/v1/entries/17"))
            let options = try await wire.answer()
            #expect(options.status == 204)
            #expect(options.header("allow") == "DELETE, GET, HEAD, OPTIONS")
            #expect(options.header("content-length") == nil)
            #expect(try await server.ask("OPTIONS", "*").status == 204)
        }
    }

    @Test("bodies of known length carry it, others are chunked, and a stream that ends early breaks the connection")
    func streams() async throws {
        try await withServer { server in
            let known = try await server.ask("GET", "/v1/known")
            #expect(known.header("content-length") == "300000")
            #expect(known.body.count == 300_000)

            let unknown = try await server.ask("GET", "/v1/unknown")
            #expect(unknown.header("transfer-encoding") == "chunked")
            #expect(unknown.text == "aaaaaaaaaaaaaaa")

            await #expect(throws: WireError.self) { try await server.ask("GET", "/v1/short") }
        }
    }

    @Test("limits are announced on every answer of a route and end in 429 with Retry-After (F6)")
    func limits() async throws {
        try await withServer { server in
            let first = try await server.ask("GET", "/v1/limited")
            _ = try await server.ask("GET", "/v1/limited")
            let third = try await server.ask("GET", "/v1/limited")

            #expect(first.status == 204)
            #expect(first.header("ratelimit-policy") == "\"few\";q=2;w=60")
            #expect(first.header("ratelimit") == "\"few\";r=1;t=30")
            Self.expectShape(third, 429, "rate_limited")
            #expect(third.header("retry-after") == "17")
            #expect(third.header("ratelimit") == "\"few\";r=0;t=30")
        }
    }

    @Test("an IPv6 client is counted by its /64 and, sixteen times as wide, by its /48; other clients once (F6)")
    func networks() async throws {
        let proxies = try #require(TrustedProxies(["127.0.0.1"]))
        try await withServer({ $0.trustedProxies = proxies }) { server in
            func ask(_ address: String) async throws -> Answer {
                try await server.ask("GET", "/v1/limited", headers: ["X-Forwarded-For: \(address)"])
            }
            let first = try await ask("2001:db8:1:1::1")
            #expect(first.header("ratelimit-policy") == "\"few\";q=2;w=60, \"few-48\";q=32;w=60")
            #expect(first.header("ratelimit") == "\"few\";r=1;t=30, \"few-48\";r=31;t=30")
            // Each from a network of its own.
            for number in 2...32 { #expect(try await ask("2001:db8:1:\(number)::1").status == 204) }
            let over = try await ask("2001:db8:1:99::1")
            Self.expectShape(over, 429, "rate_limited")
            #expect(over.header("retry-after") == "17")

            #expect(try await ask("2001:db8:2:1::1").header("ratelimit") == "\"few\";r=1;t=30, \"few-48\";r=31;t=30")
            #expect(try await ask("203.0.113.1").header("ratelimit") == "\"few\";r=1;t=30")
        }
    }

    @Test("the limits of an anonymous request are those of the app it names; a field that occurs twice names none")
    func appLimits() async throws {
        let strict = RatePolicy(name: "few/strict", shape: .rate(limit: 1, window: 60, burst: 1))
        try await withServer({ $0.appPolicies = { policies, app in app.slug == "strict" ? [strict] : policies } }) { server in
            let first = try await server.ask("GET", "/v1/limited", headers: ["Diary-App: strict"])
            let again = try await server.ask("GET", "/v1/limited", headers: ["Diary-App: strict"])
            let other = try await server.ask("GET", "/v1/limited", headers: ["Diary-App: other"])
            let twice = try await server.ask("GET", "/v1/limited", headers: ["Diary-App: strict", "Diary-App: strict"])

            #expect(first.header("ratelimit-policy") == "\"few/strict\";q=1;w=60")
            #expect([first, again, other, twice].map(\.status) == [204, 429, 204, 204])
            #expect(other.header("ratelimit") == "\"few\";r=1;t=30")
        }
    }

    @Test("the table names its operations once, for the contract test")
    func operations() {
        let operations = RouteTable(TestRoutes.all).operations
        #expect(operations.count == TestRoutes.all.count)
        #expect(operations.contains { $0 == ("GET", "/v1/entries/{id}") })
    }
}
