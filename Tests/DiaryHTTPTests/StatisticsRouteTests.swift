import DiaryTesting
import TestHTTPClient
import Testing

@testable import DiaryHTTP

@Suite("Statistics and languages on the wire") struct StatisticsRouteTests {
    @Test("the total is that of the months, which come newest first")
    func statistics() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/v1/me/stats", headers: ["Authorization: Bearer good-token"])

            #expect(answer.status == 200)
            #expect(
                answer.text.hasPrefix(
                    #"{"entries":3,"recordings":1,"texts":2,"duration_s":12.5,"size_bytes":4000,"months":[{"month":"2026-07","#))
            #expect(
                answer.text.contains(
                    #"{"month":"2025-12","entries":1,"recordings":0,"texts":1,"duration_s":0.0,"size_bytes":0}],"quota""#))
        }
    }

    @Test("the configuration lists the languages of the engine")
    func languages() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            #expect(try await server.ask("GET", "/v1/config").text.contains(#""speech":{"languages":["en"]}"#))
        }
    }
}
