import DiaryTesting
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Bundles and copies") struct BundleRouteTests {
    private static let path = "/v1/entries/\(Stub.recording.facts.id)"

    @Test("a bundle is an attachment of known length, named as the recording")
    func bundle() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let bundle = try await server.ask("GET", "\(Self.path)/bundle.zip", headers: [RouteTests.member])

            #expect(bundle.status == 200 && Array(bundle.body) == [1, 2, 3] && bundle.header("content-length") == "3")
            #expect(bundle.header("content-type") == "application/zip")
            #expect(bundle.header("content-disposition") == "attachment; filename=\"\(Stub.recording.facts.stem).zip\"")
            ProblemTests.expectShape(try await server.ask("GET", "\(Self.path)/bundle.zip"), 401, "unauthorized")
            let other = "/v1/entries/\(EntryID(UUIDv7.make()))/bundle.zip"
            ProblemTests.expectShape(try await server.ask("GET", other, headers: [RouteTests.member]), 404, "not_found")
        }
    }

    @Test("a copy is made of an entry that is there and whole")
    func copy() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let damaged = try await server.ask("POST", "\(Self.path)/copy", headers: [RouteTests.member])
            let other = try await server.ask("POST", "/v1/entries/\(EntryID(UUIDv7.make()))/copy", headers: [RouteTests.member])

            ProblemTests.expectShape(damaged, 409, "entry_damaged")
            ProblemTests.expectShape(other, 404, "not_found")
        }
    }
}
