import DiaryTesting
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Batches over HTTP") struct BatchRouteTests {
    private static let path = "/v1/entries/batch"
    private static let headers = [RouteTests.json, RouteTests.member]

    private static func statuses(_ answer: Answer) -> [Int64?] {
        guard case .array(let results)? = answer.json?["results"] else { return [] }
        return results.map { if case .object(let result) = $0 { result["status"]?.integer } else { nil } }
    }

    @Test("a refused operation has its problem, with places in the batch, and the others are done")
    func results() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let body = """
                {"operations":[
                    {"op":"create","entry":{"kind":"text","text":"words"}},
                    {"op":"create","entry":{"kind":"text"}},
                    {"op":"create","entry":{"kind":"voice","content_type":"audio/nothing","size_bytes":1}},
                    {"op":"create"},
                    {"op":"tag","id":"\(RouteTests.id)","add_tags":["a"]},
                    {"op":"tag","id":"x","add_tags":[""]},
                    {"op":"delete","id":"\(RouteTests.id)","add_tags":["a"]},
                    {"op":"delete","id":"\(RouteTests.id)"},
                    {"op":"paint"}, {}, 7]}
                """
            let answer = try await server.ask("POST", Self.path, headers: Self.headers, body: body)

            #expect(answer.status == 200)
            #expect(Self.statuses(answer) == [201, 422, 422, 422, 404, 422, 422, 404, 422, 422, 422])
            for pointer in [
                "/operations/1/entry/text", "/operations/2/entry/content_type", "/operations/3/entry", "/operations/5/id",
                "/operations/5/add_tags/0", "/operations/6/add_tags", "/operations/8/op", "/operations/9/op",
            ] { #expect(answer.text.contains("\"\(pointer)\""), "\(pointer)") }
        }
    }

    @Test("a batch has 1 to 100 operations and its own limit of bytes; its path is read decoded")
    func limits() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            func ask(_ count: Int) async throws -> Answer {
                let operations = [String](repeating: #"{"op":"delete","id":"\#(RouteTests.id)"}"#, count: count).joined(separator: ",")
                return try await server.ask("POST", Self.path, headers: Self.headers, body: "{\"operations\":[\(operations)]}")
            }
            #expect(try await ask(100).status == 200)
            #expect(try await ask(101).pointers == ["/operations"])
            #expect(try await ask(0).pointers == ["/operations"])
            let large = #"{"operations":[{"op":"create","entry":{"kind":"text","text":"\#(String(repeating: "x", count: 600_000))"}}]}"#
            #expect(Self.statuses(try await server.ask("POST", Self.path, headers: Self.headers, body: large)) == [422])
            #expect(try await server.ask("POST", "/v1/entries/b%61tch", headers: Self.headers, body: "{}").pointers == ["/operations"])
            #expect(try await server.ask("POST", "/v1/entries:batch", headers: Self.headers, body: "{}").status == 404)
            #expect(try await server.ask("GET", Self.path, headers: [RouteTests.member]).status == 405)
        }
    }
}
