import DiaryTesting
import TestHTTPClient
import Testing

@testable import DiaryCore

@Suite("Uploads in parts over HTTP") struct UploadPartRouteTests {
    private static let path = "/v1/uploads/\(Stub.recording.facts.id)/parts"

    @Test("the list has the plan and what has arrived, and a cancellation answers without a body")
    func listed() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let listed = try await server.ask("GET", Self.path, headers: [RouteTests.member])
            #expect(listed.status == 200)
            #expect(
                listed.text
                    == #"{"part_size":1048576,"part_count":3,"items":[{"number":2,"size_bytes":1048576}],"next_cursor":null,"has_more":false}"#
            )
            let cancelled = try await server.ask("DELETE", Self.path, headers: [RouteTests.member])
            #expect(cancelled.status == 204 && cancelled.text.isEmpty)
        }
    }

    @Test(
        "numbers outside their ranges, and parameters that the operation does not have, are refused",
        arguments: [
            "from=0", "from=10001", "limit=0", "limit=1001", "limit=x", "to=3",
        ])
    func refused(query: String) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            #expect(try await server.ask("POST", "\(Self.path)?\(query)", headers: [RouteTests.member]).status == 422)
        }
    }

    @Test("the id of an import is taken at the same paths")
    func zips() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let path = "/v1/uploads/\(Stub.imported.id)"
            let completed = try await server.ask("POST", "\(path)/complete", headers: [RouteTests.member])
            #expect(completed.status == 202 && completed.text.hasPrefix(#"{"import":{"id":"\#(Stub.imported.id)""#))
            #expect(try await server.ask("POST", "\(path)/url", headers: [RouteTests.member]).code == "upload_finished")
        }
    }

    @Test("a recording that has arrived gets no parts, and another entry is not there")
    func finished() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let finished = try await server.ask("POST", Self.path, headers: [RouteTests.member])
            #expect(finished.status == 409 && finished.text.contains("upload_finished"))
            for method in ["POST", "GET", "DELETE"] {
                let other = "/v1/uploads/\(RouteTests.id)/parts"
                #expect(try await server.ask(method, other, headers: [RouteTests.member]).status == 404, "\(method)")
            }
        }
    }
}
