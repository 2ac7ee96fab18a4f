import DiaryCrypto
import DiaryHTTP
import FoundationEssentials
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryTesting

@Suite("Suggestions by HTTP") struct SuggestionRouteTests {
    private static let path = "/v1/entries/\(Spoken.id)"
    private static let headers = [RouteTests.json, RouteTests.member]

    private static func routes() async throws -> DiaryRoutes {
        var ports = try FeaturePorts.stub()
        let vault = try await ports.memberKeys.vault(of: TestTokens.member)
        let row = Spoken.id.uuid
        var machine = MachinePart(raw: "um we swam", clean: "We swam.")
        machine.suggested = Suggestions(title: "Cold lake", tags: ["lake", "swimming"])
        machine.summary = "We swam."
        machine.keyPoints = ["We swam.", "It was cold."]
        ports.entries = OneEntryStore(
            StoredEntry(
                facts: Spoken.facts(),
                personal: SealedColumn(
                    bytes: try vault.seal(PersonalPart(title: "A walk", tags: ["river"]), as: .personal, row: row, version: 3), version: 3),
                machine: SealedColumn(bytes: try vault.seal(machine, as: .machine, row: row, version: 2), version: 2)))
        return try Stub.routes(ports)
    }

    @Test("an entry shows what is suggested beside what its owner wrote, its summary and its key points")
    func shown() async throws {
        try await withRoutes(try await Self.routes()) { server in
            let answer = try await server.ask("GET", Self.path, headers: [RouteTests.member])

            #expect(answer.text.contains(#""suggestions":{"title":"Cold lake","tags":["lake","swimming"],"mood":null}"#))
            #expect(answer.text.contains(#""key_points":["We swam.","It was cold."],"summary":"We swam.""#))
            #expect(answer.json?["title"]?.string == "A walk" && answer.json?["tags"]?.strings == ["river"])
        }
    }

    @Test("an answer needs no version, takes one, and returns the entry")
    func answered() async throws {
        try await withRoutes(try await Self.routes()) { server in
            let path = Self.path + "/suggestions"
            let late = try await server.ask(
                "POST", path, headers: Self.headers + ["If-Match: \"2\""], body: #"{"accept":{"tags":["lake"]}}"#)
            #expect(late.status == 412 && late.json?["current"]?.object?["version"]?.integer == 3)

            let taken = try await server.ask(
                "POST", path, headers: Self.headers, body: #"{"accept":{"tags":["lake"]},"decline":{"title":"Cold lake","mood":null}}"#)
            #expect(taken.status == 200 && taken.header("etag") == "\"4\"")
            #expect(taken.json?["tags"]?.strings == ["river", "lake"] && taken.json?["title"]?.string == "A walk")
            #expect(taken.text.contains(#""suggestions":{"title":null,"tags":["swimming"],"mood":null}"#))

            let rest = try await server.ask(
                "POST", path, headers: Self.headers + ["If-Match: \"4\""], body: #"{"decline":{"tags":["swimming"]}}"#)
            #expect(rest.status == 200 && rest.json?["suggestions"] == nil && rest.json?["summary"]?.string == "We swam.")
        }
    }

    @Test("what names no suggestion, or something else, is refused where it stands")
    func refused() async throws {
        try await withRoutes(try await Self.routes()) { server in
            for (body, pointers) in [
                ("{}", ["/accept"]), (#"{"accept":{}}"#, ["/accept"]), (#"{"accept":{"title":""}}"#, ["/accept"]),
                (#"{"accept":["lake"]}"#, ["/accept"]), (#"{"accepts":{}}"#, ["/accepts"]),
                (#"{"accept":{"tag":["lake"]}}"#, ["/accept/tag"]),
                (#"{"accept":{"tags":"lake"}}"#, ["/accept/tags"]), (#"{"accept":{"tags":["lake",7]}}"#, ["/accept/tags/1"]),
                (#"{"accept":{"tags":["work"]}}"#, ["/accept/tags/0"]), (#"{"decline":{"title":"Warm lake"}}"#, ["/decline/title"]),
            ] {
                let answer = try await server.ask("POST", Self.path + "/suggestions", headers: Self.headers, body: body)
                #expect(answer.status == 422 && answer.pointers == pointers, "\(body): \(answer.text)")
            }
            let other = "/v1/entries/\(EntryID(UUID()))/suggestions"
            #expect(try await server.ask("POST", other, headers: Self.headers, body: #"{"accept":{"title":"x"}}"#).status == 404)
        }
    }
}
