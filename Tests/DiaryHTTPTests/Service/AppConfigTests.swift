import DiaryCore
import DiaryHTTP
import DiaryTesting
import TestHTTPClient
import Testing
import WireFormats

@Suite("What a client must know of its app") struct AppConfigTests {
    @Test("the configuration has the app's name, links, sender and what it permits")
    func app() async throws {
        var tenant = Stub.tenant("diary")
        try tenant.configuration.set("links.privacy", to: "https://diary.example/privacy")
        try tenant.configuration.set("links.support", to: "mailto:help@diary.example")
        try tenant.configuration.set("cleanup.extras", to: "summary,title")
        try tenant.configuration.set("limits.audio_max_bytes", to: "0")
        try tenant.configuration.set("speech.guess_speakers", to: "on")
        try tenant.configuration.set("prompts.de", to: "Was war neu?")
        try await withRoutes(try Stub.routes(tenants: [tenant])) { (server: Harness) async throws in
            let config = try await server.ask("GET", "/v1/config").text
            for members in [
                #""app":{"slug":"diary","name":"Diary"},"sender":{"name":"Diary","address":"diary@diary.example"}"#,
                #""links":{"privacy":"https://diary.example/privacy","terms":null,"support":"mailto:help@diary.example"}"#,
                #""permits":{"recordings":false,"cleanup":true,"extras":["title","summary"],"guessed_speakers":true,"prompts":["de"]}"#,
            ] { #expect(config.contains(members)) }
            let recording = #"{"kind":"voice","size_bytes":10,"content_type":"audio/mp4"}"#
            let headers = ["Content-Type: application/json", RouteTests.member]
            #expect(try await server.ask("POST", "/v1/entries", headers: headers, body: recording).pointers == ["/size_bytes"])
        }
    }

    @Test("where no app is meant there is no name and no sender")
    func none() async throws {
        let tenants = [Stub.tenant("diary"), Stub.tenant("other")]
        try await withRoutes(try Stub.routes(tenants: tenants)) { (server: Harness) async throws in
            let config = try await server.ask("GET", "/v1/config")
            #expect(config.json?["app"] == nil && config.json?["sender"] == nil)
            #expect(config.text.contains(#""links":{"privacy":null,"terms":null,"support":null},"permits":{"recordings":true,"#))
        }
    }

    @Test("the flags of an app are a flat object at /rpc/app_config, by GET and by POST, whatever its body")
    func flags() async throws {
        var tenant = Stub.tenant("diary")
        try tenant.configuration.set("flags.new_player", to: "true")
        try tenant.configuration.set("flags.step", to: "3")
        let tenants = [tenant, Stub.tenant("other")]
        try await withRoutes(try Stub.routes(tenants: tenants)) { (server: Harness) async throws in
            let asked: [(method: String, body: String?)] = [("GET", nil), ("POST", nil), ("POST", "{}"), ("POST", "not json")]
            for (method, body) in asked {
                let answer = try await server.ask(method, "/rpc/app_config", headers: ["Diary-App: diary"], body: body)
                #expect(answer.status == 200 && answer.text == #"{"new_player":true,"step":3}"#)
            }
            #expect(try await server.ask("POST", "/rpc/app_config", headers: ["Diary-App: other"]).text == "{}")
            #expect(try await server.ask("GET", "/rpc/app_config").text == "{}")
            ProblemTests.expectShape(try await server.ask("GET", "/rpc/app_config", headers: ["Diary-App: unknown"]), 400, "app_unknown")
        }
    }
}
