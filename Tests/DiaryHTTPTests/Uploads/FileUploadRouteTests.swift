import DiaryTesting
import TestHTTPClient
import Testing

@testable import DiaryCore

@Suite("Uploads in one request over HTTP") struct FileUploadRouteTests {
    private static let form = "Content-Type: multipart/form-data; boundary=b"

    private static func part(_ disposition: String, _ content: String) -> String {
        "--b\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n\(content)\r\n"
    }

    private static let file = part("name=\"file\"; filename=\"toukan_2024-01-15T14-30-00.m4a\"", "recording")

    @Test("a form with a file, and the recording itself, become an entry; other fields are ignored")
    func received() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let form = Self.part("name=note", "x") + Self.file + Self.part("name=\"recorded_at\"", "never") + "--b--\r\n"
            for (type, body) in [(Self.form, form), ("Content-Type: audio/x-m4a", "recording"), ("Content-Type: video/mp4", "film")] {
                let answer = try await server.ask("POST", "/upload", headers: [type, RouteTests.member], body: body)
                #expect(answer.status == 201, "\(answer.text)")
                let location = try #require(answer.header("location"))
                #expect(location.hasPrefix("/v1/entries/"))
                let id = location.dropFirst("/v1/entries/".count)
                #expect(
                    answer.text
                        == #"{"memory_id":"\#(id)","status":"processing","message":"Audio uploaded and processing enqueued"}"#)
            }
        }
    }

    @Test(
        "a form without a file, with two, without an end, or of something else is refused",
        arguments: [
            (part("name=note", "x") + "--b--", 422, "/file"), (part("name=file", "walk.m4a") + "--b--", 422, "/file"),
            (file + file + "--b--", 422, "/file"),
            (part("name=file; filename=a.m4a", "") + "--b--", 422, "/file"), (file, 400, nil), ("recording", 400, nil), ("", 400, nil),
            (file + "--bx\r\n", 400, nil), (part("name=file\r\nContent-Type: text/plain", "x") + "--b--", 415, nil),
        ] as [(String, Int, String?)])
    func refused(body: String, status: Int, pointer: String?) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let answer = try await server.ask("POST", "/upload", headers: [Self.form, RouteTests.member], body: body)
            #expect(answer.status == status && answer.pointers == [pointer].compactMap { $0 }, "\(answer.text)")
        }
    }

    @Test("what says that it is no recording, a form without a boundary, unknown parameters and clients without a token are refused")
    func unread() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            for (type, query, status) in [
                ("text/plain", "", 415), ("multipart/mixed; boundary=b", "", 415), ("multipart/form-data", "", 400),
                ("audio/mp4", "?recorded_at=now", 422), ("audio/mp4", "?recorded_at=1800-01-01T00:00:00Z", 422),
                ("audio/mp4", "?name=x", 422),
            ] {
                let headers = ["Content-Type: \(type)", RouteTests.member]
                #expect(try await server.ask("POST", "/upload\(query)", headers: headers, body: "x").status == status, "\(type) \(query)")
            }
            #expect(try await server.ask("POST", "/upload", headers: ["Content-Type: audio/mp4"], body: "x").status == 401)
        }
    }
}
