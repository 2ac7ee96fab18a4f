import DiaryCore
import DiaryHTTP
import DiaryTesting
import FoundationEssentials
import TestHTTPClient
import Testing
import WireFormats

@Suite("Request ids and log lines") struct LogTests {
    @Test("a well-formed request id is kept, another is replaced, and either is in the answer")
    func requestIDs() async throws {
        try await withServer { server in
            let kept = try await server.ask("GET", "/v1/open", headers: ["X-Request-Id: abc-DEF_12.3"])
            #expect(kept.header("x-request-id") == "abc-DEF_12.3")

            for bad in ["short", "has space in it", "semi;colon;semi", String(repeating: "a", count: 65), "quote\"quote"] {
                let replaced = try await server.ask("GET", "/v1/open", headers: ["X-Request-Id: \(bad)"])
                #expect(UUID(uuidString: replaced.header("x-request-id") ?? "") != nil, "\(bad)")
            }
        }
    }

    @Test("a log line has the template, never the path, the query, a header or a body (G1)")
    func noSecrets() async throws {
        try await withServer { server in
            let canary = "canary-9f1c"
            _ = try await server.ask(
                "POST", "/v1/entries?token=\(canary)",
                headers: ["Content-Type: application/json", "Authorization: Bearer \(canary)", "User-Agent: \(canary)"],
                body: "{\"title\":\"\(canary)\",\"kind\":\"\(canary)\"}")
            _ = try await server.ask("GET", "/v1/entries/\(canary)?x=\(canary)", headers: ["Authorization: Bearer good-token"])
            _ = try await server.ask("GET", "/\(canary)")
            _ = try await server.raw("GET /\(canary) HTTP/1.1\r\nHost: a\r\n\(canary) : b\r\n\r\n")
            _ = try await server.ask("GET", "/v1/open", headers: ["traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"])

            let lines = server.lines.all.filter { $0.contains("\"message\":\"request\"") }
            #expect(lines.count == 5)
            #expect(!server.lines.all.contains { $0.contains(canary) })
            #expect(lines.contains { $0.contains("\"route\":\"/v1/entries/{id}\"") && $0.contains("\"status\":404") })
            #expect(lines.contains { $0.contains("\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\"") })
            for line in lines {
                guard case .object(let members) = try JSONParser.parse(Array(line.utf8)) else { continue }
                for name in ["ts", "level", "method", "route", "status", "duration_ms", "bytes", "request_id"] {
                    #expect(members[name] != nil, "\(name)")
                }
                for name in ["status", "duration_ms", "bytes"] {
                    guard case .number? = members[name] else {
                        Issue.record("\(name) is no number: \(line)")
                        continue
                    }
                }
            }
        }
    }

    @Test("a line names the app once the token has named it, and no app before that")
    func tenant() async throws {
        try await withServer { server in
            _ = try await server.ask("GET", "/v1/me", headers: ["Authorization: Bearer good-token"])
            _ = try await server.ask("GET", "/v1/me", headers: ["Authorization: Bearer bad-token"])
            _ = try await server.ask("GET", "/v1/open")

            let lines = server.lines.all.filter { $0.contains("\"message\":\"request\"") }
            #expect(lines.map { $0.contains("\"tenant\":\"\(Stub.owner.tenant)\"") } == [true, false, false])
            #expect(lines.map { $0.contains("\"tenant\"") } == [true, false, false])
        }
    }

    @Test("the request line of a sign-in names the app")
    func signIn() async throws {
        let app = Stub.tenant("diary")
        try await withRoutes(Stub.routes(tenants: [app])) { (server: Harness) async throws in
            let body = #"{"purpose":"sign_up","email":"anna@example.org","request":"q83vEjRWeJCrze8SNFZ4kA"}"#
            _ = try await server.ask("POST", "/v1/auth/codes", headers: ["Content-Type: application/json"], body: body)

            #expect(server.lines.all.contains { $0.contains("\"tenant\":\"\(app.id)\"") })
        }
    }

    @Test("a traceparent is used only in its exact form")
    func traceParents() {
        #expect(TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01") != nil)
        for bad in [
            "", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] { #expect(TraceParent(bad) == nil, "\(bad)") }
    }
}
