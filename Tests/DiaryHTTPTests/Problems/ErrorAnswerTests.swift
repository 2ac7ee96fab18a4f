import DiaryHTTP
import DiaryTesting
import HTTPTypes
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Error answers") struct ErrorAnswerTests {
    private static let merge = "Content-Type: application/merge-patch+json"
    private static let code = #"{"code":"12345678","request":"q83vEjRWeJCrze8SNFZ4kA"}"#

    @Test(
        "401 names an invalid token only when something was sent as one (RFC 6750, 3.1)",
        arguments: [
            ("X-Nothing: 1", "Bearer"), ("Authorization: Bearer bad", #"Bearer error="invalid_token""#),
            ("Authorization: Basic YTpi", #"Bearer error="invalid_token""#), ("Authorization: Bearer", #"Bearer error="invalid_token""#),
            ("Authorization: Bearer good-token\r\nAuthorization: Bearer good-token", #"Bearer error="invalid_token""#),
        ])
    func challenges(header: String, challenge: String) async throws {
        try await withServer { server in
            let answer = try await server.ask("GET", "/v1/me", headers: [header])
            ProblemTests.expectShape(answer, 401, "unauthorized")
            #expect(answer.header("www-authenticate") == challenge)
        }
    }

    @Test("a token of a session that has ended is an invalid one; a refused sign-in has none, whatever is sent beside it")
    func endedSession() async throws {
        let ended = Route(.get, "/v1/ended") { (_: MemberContext) -> Reply in throw DiaryError.unauthorized }
        try await withServer(routes: [ended]) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/v1/ended", headers: [RouteTests.member])
            #expect(answer.header("www-authenticate") == #"Bearer error="invalid_token""#)
        }
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let refused = try await server.ask(
                "POST", "/v1/auth/refresh", headers: [RouteTests.json, RouteTests.member], body: #"{"refresh_token":"x"}"#)
            ProblemTests.expectShape(refused, 401, "refresh_refused")
            #expect(refused.header("www-authenticate") == "Bearer")
        }
    }

    @Test("a change or a deletion of another version is 412 with the entry as it is now and its ETag")
    func conflicts() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let path = "/v1/entries/\(Stub.recording.facts.id)"
            for (method, tags) in [("PATCH", "\"7\""), ("PATCH", "\"7\", \"8\""), ("DELETE", "\"7\"")] {
                let answer = try await server.ask(
                    method, path, headers: [Self.merge, RouteTests.member, "If-Match: \(tags)"], body: #"{"title":"late"}"#)
                ProblemTests.expectShape(answer, 412, "precondition_failed")
                #expect(answer.header("etag") == "\"1\"")
                guard case .object(let current)? = answer.json?["current"] else {
                    Issue.record("\(method) without the entry")
                    continue
                }
                #expect(current["id"] == .string("\(Stub.recording.facts.id)") && current["version"] == .number("1"))
                #expect(server.lines.all.contains { $0.contains("\"status\":412") && $0.contains("\"code\":\"precondition_failed\"") })
            }
            let missing = try await server.ask(
                "PATCH", "/v1/entries/\(RouteTests.id)", headers: [Self.merge, RouteTests.member, "If-Match: \"7\""], body: "{}")
            ProblemTests.expectShape(missing, 404, "not_found")
            #expect(missing.json?["current"] == nil)
        }
    }

    @Test(
        "a wrong code is 403 code_refused wherever it is shown",
        arguments: [
            ("/v1/auth/email/verify", #"{"email":"anna@example.org","code":"12345678","request":"q83vEjRWeJCrze8SNFZ4kA"}"#),
            ("/v1/auth/email", #"{"email":"anna@example.org","code":"12345678","request":"q83vEjRWeJCrze8SNFZ4kA"}"#),
            (
                "/v1/auth/email/reset/confirm",
                #"{"email":"anna@example.org","code":"12345678","request":"q83vEjRWeJCrze8SNFZ4kA","password":"eight quiet lighthouses"}"#
            ),
            ("/v1/me/email/confirm", Self.code), ("/v1/me/reauthenticate", Self.code),
        ])
    func wrongCodes(path: String, body: String) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let answer = try await server.ask("POST", path, headers: [RouteTests.json, RouteTests.member], body: body)
            ProblemTests.expectShape(answer, 403, "code_refused")
            #expect(answer.header("www-authenticate") == nil && answer.pointers == [])
        }
    }

    @Test("headers are named in lower case, and a member that an operation does not take is told from those it takes")
    func pointers() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let key = "Idempotency-Key: a b"
            let entry = try await server.ask("POST", "/v1/entries", headers: [RouteTests.json, RouteTests.member, key], body: "{}")
            #expect(entry.pointers == ["header/idempotency-key"])
            let twice = try await server.ask(
                "POST", "/v1/entries", headers: [RouteTests.json, RouteTests.member, "Idempotency-Key: a", "Idempotency-Key: b"], body: "{}"
            )
            #expect(twice.pointers == ["header/idempotency-key"])
            let patch = try await server.ask(
                "PATCH", "/v1/entries/\(RouteTests.id)", headers: [Self.merge, RouteTests.member, "If-Match: *"],
                body: #"{"titel":"a","a/b":1}"#)
            #expect(patch.pointers == ["/a~1b", "/titel"])
            #expect(
                patch.text.contains(
                    "is not a member here: favorite, keep_audio, language, metadata, mood, recorded_at, tags, text, time_zone, title"
                ))
        }
    }
}
