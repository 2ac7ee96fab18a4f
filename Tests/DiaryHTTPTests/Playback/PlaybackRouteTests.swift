import DiaryTesting
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Playback") struct PlaybackRouteTests {
    private static let path = "/v1/entries/\(Stub.recording.facts.id)"

    @Test("the URL of a recording is told with its end, name, type and size")
    func told() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let told = try await server.ask("GET", "\(Self.path)/audio/url", headers: [RouteTests.member])

            #expect(told.status == 200 && told.header("cache-control") == "no-store")
            #expect(told.json?["method"] == .string("GET") && told.text.contains(#""headers":{}"#))
            #expect(told.json?["filename"] == .string(Stub.recording.facts.filename ?? ""))
            #expect(told.json?["expires_at"] == .string("2026-07-04T08:50:00.000Z"))
            #expect(told.json?["content_type"] == .string("audio/mp4"))
            #expect(told.text.contains("\"size_bytes\":10"))
        }
    }

    @Test("what is behind it is read whole and by ranges without a token")
    func ranges() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let told = try await server.ask("GET", "\(Self.path)/audio/url", headers: [RouteTests.member])
            guard case .string(let url)? = told.json?["url"] else { throw DiaryError(.internalError) }
            let place = String(url.dropFirst("https://diary.example".count))

            let whole = try await server.ask("GET", place)
            let part = try await server.ask("GET", place, headers: ["Range: bytes=2-4"])

            #expect(whole.status == 200 && whole.text == "0123456789" && whole.header("content-type") == "audio/mp4")
            #expect(part.status == 206 && part.text == "234" && part.header("content-range") == "bytes 2-4/10")
            for added in ["&expires=1", "&signature=x", "&generation=1", "0"] {
                ProblemTests.expectShape(try await server.ask("GET", place + added), 403, "link_refused")
            }
        }
    }

    @Test("a recording without a copy is its own original; a waveform that was never drawn is not waited for")
    func originals() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            for query in ["", "?original=true", "?original=false"] {
                let told = try await server.ask("GET", "\(Self.path)/audio/url\(query)", headers: [RouteTests.member])
                #expect(told.status == 200 && told.json?["content_type"] == .string("audio/mp4"))
            }
            for query in ["?original=1", "?original=true&original=true", "?copy=true"] {
                let refused = try await server.ask("GET", "\(Self.path)/audio/url\(query)", headers: [RouteTests.member])
                ProblemTests.expectShape(refused, 422, "invalid_fields")
            }
            let drawn = try await server.ask("GET", "\(Self.path)/waveform", headers: [RouteTests.member])
            ProblemTests.expectShape(drawn, 409, "waveform_unavailable")
        }
    }

    @Test("without a session, and for an entry that is not the member's, there is no URL")
    func refused() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            ProblemTests.expectShape(try await server.ask("GET", "\(Self.path)/audio/url"), 401, "unauthorized")
            ProblemTests.expectShape(
                try await server.ask("GET", "/v1/entries/\(RouteTests.id)/audio/url", headers: [RouteTests.member]), 404, "not_found")
        }
    }
}
