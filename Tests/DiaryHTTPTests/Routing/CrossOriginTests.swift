import DiaryCore
import DiaryTesting
import HTTPTypes
import TestHTTPClient
import Testing

@testable import DiaryHTTP

@Suite("Requests of web pages from other origins") struct CrossOriginTests {
    /// Of the app that `good-token` belongs to.
    private static let own = "https://app.example"
    private static let another = "http://localhost:5173"
    private static let unknown = "https://evil.example"
    private static let fields = ["access-control-allow-origin", "access-control-allow-methods", "access-control-expose-headers"]

    private static func serve(_ test: @escaping @Sendable (Harness) async throws -> Void) async throws {
        try await withServer(
            {
                $0.origins = { tenant in tenant == nil ? [own, another] : tenant == TestTokens.member.tenant ? [own] : [] }
                $0.knownOrigins = { [own, another] }
            }, test)
    }

    @Test("a preflight of an allowed origin gets the path's methods and the fields that scripts may send", arguments: [own, another])
    func preflight(_ origin: String) async throws {
        try await Self.serve { server in
            for path in ["/v1/entries/17", "/objects/staging/a/b", "/v1/me"] {
                let answer = try await server.ask(
                    "OPTIONS", path,
                    headers: [
                        "Origin: \(origin)", "Access-Control-Request-Method: GET",
                        "Access-Control-Request-Headers: authorization,if-match",
                    ])

                #expect(answer.status == 204 && answer.header("access-control-allow-origin") == origin)
                #expect(answer.header("access-control-allow-methods") == answer.header("allow"))
                #expect(answer.header("access-control-max-age") == "600" && answer.header("vary") == "Origin")
                let named = (answer.header("access-control-allow-headers") ?? "").split(separator: ", ")
                #expect(["Authorization", "Content-Type", "Diary-App", "Idempotency-Key", "If-Match", "Range"].allSatisfy(named.contains))
                #expect(answer.header("access-control-allow-credentials") == nil)
            }
        }
    }

    @Test(
        "OPTIONS of another origin, or that is no preflight, gets the methods alone",
        arguments: [
            (["Origin: \(unknown)", "Access-Control-Request-Method: PATCH"], false), (["Origin: \(own)"], true),
            (["Origin: null", "Access-Control-Request-Method: GET"], false), (["Access-Control-Request-Method: GET"], false),
            (["Origin: \(own)", "Origin: \(own)", "Access-Control-Request-Method: GET"], false),
            (["Origin: https://APP.example", "Access-Control-Request-Method: GET"], false),
            (["Origin: \(own)/", "Access-Control-Request-Method: GET"], false),
        ])
    func otherOptions(headers: [String], isRead: Bool) async throws {
        try await Self.serve { server in
            let answer = try await server.ask("OPTIONS", "/v1/entries/17", headers: headers)

            #expect(answer.status == 204 && answer.header("allow") == "DELETE, GET, HEAD, OPTIONS")
            #expect(answer.header("access-control-allow-methods") == nil && answer.header("access-control-allow-headers") == nil)
            #expect((answer.header("access-control-allow-origin") != nil) == isRead)
        }
    }

    @Test("every answer, errors too, can be read by an allowed page, and names the origin instead of *")
    func answers() async throws {
        try await Self.serve { server in
            let calls = [
                ("GET", "/v1/me", "good-token", 200), ("GET", "/v1/me", "bad", 401), ("GET", "/v1/nowhere", "-", 404),
                ("PUT", "/v1/me", "-", 405),
                ("GET", "/v1/boom", "-", 500), ("GET", "/v1/down", "-", 503), ("POST", "/v1/entries", "-", 415),
                ("GET", "/v1/known", "-", 200),
                ("GET", "/v1/limited", "-", 204), ("GET", "/v1/limited", "-", 204), ("GET", "/v1/limited", "-", 429),
            ]
            for (method, path, token, status) in calls {
                let answer = try await server.ask(method, path, headers: ["Origin: \(Self.own)", "Authorization: Bearer \(token)"])

                #expect(answer.status == status, "\(method) \(path)")
                #expect(answer.header("access-control-allow-origin") == Self.own, "\(method) \(path)")
                let exposed = (answer.header("access-control-expose-headers") ?? "").split(separator: ", ")
                #expect(
                    ["ETag", "Location", "Retry-After", "RateLimit", "WWW-Authenticate", "X-Request-Id", "Content-Range"]
                        .allSatisfy(exposed.contains), "\(method) \(path)")
                #expect(answer.header("vary") == "Origin" && answer.header("access-control-allow-credentials") == nil)
            }
        }
    }

    @Test("a page of one app's origin reads no answer of another app, and one of an unknown origin reads none")
    func otherOrigins() async throws {
        try await Self.serve { server in
            for (origin, token, isRead) in [
                (Self.another, "good-token", false), (Self.another, "bad", true), (Self.unknown, "good-token", false),
                (Self.unknown, "bad", false),
            ] {
                let answer = try await server.ask("GET", "/v1/me", headers: ["Origin: \(origin)", "Authorization: Bearer \(token)"])

                #expect((answer.header("access-control-allow-origin") == origin) == isRead, "\(origin) \(token)")
                #expect(answer.header("vary") == "Origin")
                if !isRead { #expect(Self.fields.allSatisfy { answer.header($0) == nil }) }
            }
        }
    }

    @Test(
        "what the listener refuses can be read by an allowed page too, where its origin came before",
        arguments: [(own, own), (another, another), (unknown, nil)] as [(String, String?)])
    func refusals(origin: String, named: String?) async throws {
        try await Self.serve { server in
            let (long, field) = (String(repeating: "a", count: 17_000), "Origin: \(origin)\r\n")
            for (head, status) in [
                ("GET /v1/me HTTP/1.1\r\nHost: a\r\n\(field)X-A: \(long)", 431), ("GET /v1/me HTTP/1.1\r\n\(field)\r\n", 400),
                ("GET /v1/me HTTP/1.1\r\nHost: a\r\n\(field)X-A : b\r\n\r\n", 400),
            ] {
                let answer = try await server.raw(head)

                #expect(answer.status == status && answer.header("access-control-allow-origin") == named)
                #expect((answer.header("access-control-expose-headers") == CrossOrigin.exposedFields) == (named != nil))
                #expect(answer.header("vary") == "Origin" && answer.header("access-control-allow-credentials") == nil)
            }
            for head in ["GET /v1/me HTTP/1.1\r\nX-A: \(long)\r\n\(field)\r\n", "BREW /v1/me HTTP/1.1\r\n\(field)\r\n"] {
                let answer = try await server.raw(head)

                #expect([405, 431].contains(answer.status) && Self.fields.allSatisfy { answer.header($0) == nil })
                #expect(answer.header("vary") == nil)
            }
        }
    }

    @Test("without origins no answer has a field of it, and only answers that caches keep vary")
    func off() async throws {
        try await withRoutes(try Stub.routes()) { (server: Harness) async throws in
            let headers = ["Origin: \(Self.own)", "Access-Control-Request-Method: GET"]
            for (method, path) in [("GET", "/v1/me"), ("OPTIONS", "/v1/me"), ("GET", "/openapi.yaml"), ("GET", "/v1/config")] {
                let answer = try await server.ask(method, path, headers: headers)
                #expect(Self.fields.allSatisfy { answer.header($0) == nil }, "\(method) \(path)")
            }
            #expect(try await server.ask("GET", "/livez").header("vary") == nil)
            #expect(try await server.ask("GET", "/openapi.yaml").header("vary") == "Origin")
            #expect(try await server.ask("GET", "/v1/config").header("vary") == "Diary-App, Origin")
        }
    }

    @Test("the lists name each field once, and every field that the contract describes of answers")
    func lists() throws {
        for list in [CrossOrigin.requestFields, CrossOrigin.exposedFields] {
            let names = list.split(separator: ", ").map { $0.lowercased() }
            #expect(Set(names).count == names.count && names.allSatisfy { HTTPField.Name($0) != nil })
        }
        let exposed = Set(CrossOrigin.exposedFields.split(separator: ", ").map { $0.lowercased() })
        // Scripts read the first ones anyway; the page of a mailed link is not for scripts.
        let open: Set = ["cache-control", "content-length", "content-type", "content-security-policy"]
        let described = Set(try Contract.read().headers.map { $0.lowercased() })
        #expect(described.count >= 10 && described.subtracting(open).subtracting(exposed) == [])
    }
}
