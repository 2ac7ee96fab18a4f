import DiaryCore
import DiaryTesting
import TestHTTPClient
import Testing

@testable import DiaryHTTP

@Suite("The choice of an engine on the wire") struct EngineChoiceRouteTests {
    private static let headers = ["Authorization: Bearer good-token", "Content-Type: application/merge-patch+json"]

    @Test("engines of the app's chains can be chosen, each for its stage; any other name is refused with those that can be")
    func choice() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            func change(_ body: String) async throws -> Answer {
                try await server.ask("PATCH", "/v1/me", headers: Self.headers, body: body)
            }

            // Taken, and then the stub of the store is down.
            #expect(try await change(#"{"speech_engine":"here","text_engine":"rules"}"#).status == 503)
            #expect(try await change(#"{"speech_engine":null,"text_engine":""}"#).status == 503)
            let refused = try await change(#"{"speech_engine":"rules","text_engine":"cloud"}"#)
            #expect(refused.status == 422)
            #expect(refused.text.contains(#"{"pointer":"/speech_engine","detail":"must be one of cloud, here"}"#))
            #expect(refused.text.contains(#"{"pointer":"/text_engine","detail":"must be one of rules"}"#))
            #expect(try await change(#"{"speech_engine":7}"#).status == 422)
        }
    }
}
