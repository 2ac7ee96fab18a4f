import DiaryCore
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
                    #"{"month":"2025-12","entries":1,"recordings":0,"texts":1,"duration_s":0.0,"size_bytes":0}],"streak":{"current":2,"longest":9},"quota""#
                ))
        }
    }

    @Test("what was used today and is stored stands beside the app's limits; null is no limit")
    func usage() async throws {
        var tenant = Stub.tenant("diary")
        try tenant.configuration.set("limits.engine_minutes_per_day", to: "60")
        try tenant.configuration.set("limits.storage_bytes", to: "9000")
        try await withRoutes(Stub.routes(tenants: [tenant])) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/v1/me/stats", headers: ["Authorization: Bearer good-token"])

            #expect(
                answer.text.hasSuffix(
                    #""usage":{"day":"2026-07-04","engine_seconds":1.5,"engine_minutes_per_day":60,"engine_tokens":15,"#
                        + #""engine_tokens_per_day":null,"engine_cost":9,"engine_cost_per_day":null,"storage_bytes":4000,"storage_max_bytes":9000}}"#
                ))
        }
    }

    @Test("the configuration lists the engines, which leave the machine, and the languages: none with a hosted one, which knows any")
    func languages() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let text = try await server.ask("GET", "/v1/config").text

            #expect(text.contains(#""speech":{"languages":[],"engines":[{"name":"cloud","hosted":true},{"name":"here","hosted":false}]}"#))
            #expect(text.contains(#""text":{"engines":[{"name":"rules","hosted":false}]}"#))
        }
        var ports = try FeaturePorts.stub()
        ports.engines = FixedEngineDirectory(
            EngineOffer(speech: [.init(name: "here", kind: .local)]), localLanguages: SpeechLanguages(["en"]))
        try await withRoutes(Stub.routes(ports)) { (server: Harness) async throws in
            #expect(try await server.ask("GET", "/v1/config").text.contains(#""speech":{"languages":["en"],"engines":[{"#))
        }
    }
}
