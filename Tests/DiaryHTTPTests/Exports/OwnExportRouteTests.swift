import DiaryTesting
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Exports of a signed-in owner") struct OwnExportRouteTests {
    private static func path(_ status: ExportStatus) -> String {
        "/v1/exports/\(Stub.exports.first { $0.status == status }?.id ?? Stub.export.id)"
    }

    @Test("the URL of the zip needs no token, is read by ranges, and ends within an hour (decision D20)")
    func file() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let told = try await server.ask("GET", "\(Self.path(.ready))/url", headers: [RouteTests.member])
            #expect(told.status == 200 && told.header("cache-control") == "no-store")
            #expect(told.json?["expires_at"] == .string("2026-07-04T08:30:00.000Z"))
            #expect(told.json?["filename"] == .string("diary_2026-07-01_2026-07-31.zip"))
            #expect(told.json?["content_type"] == .string("application/zip") && told.json?["size_bytes"]?.integer == 10)
            #expect(told.json?["method"] == .string("GET") && told.json?["headers"]?.object?.names.isEmpty == true)
            let url = told.json?["url"]?.string ?? ""
            #expect(url.hasPrefix("https://diary.example/exports/"))
            let place = String(url.dropFirst("https://diary.example".count))

            let part = try await server.ask("GET", place, headers: ["Range: bytes=2-4"])
            #expect(part.status == 206 && part.text == "234")
            // The mailed link leads to the same bytes: a download that broke off goes on by either.
            let mailed = try await server.ask("POST", "/exports/\(Stub.token())/download", body: "").header("location") ?? ""
            let whole = try await server.ask("GET", mailed)
            #expect(whole.header("etag") == part.header("etag"))
        }
    }

    @Test(
        "an export that is not built yet is not ready; one that failed or has ended has no URL and no mail",
        arguments: [
            (ExportStatus.queued, 409, "export_not_ready", 202), (.building, 409, "export_not_ready", 202),
            (.failed, 410, "link_expired", 410), (.revoked, 410, "link_expired", 410), (.expired, 410, "link_expired", 410),
        ])
    func ended(status: ExportStatus, expected: Int, code: String, mail: Int) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            ProblemTests.expectShape(
                try await server.ask("GET", "\(Self.path(status))/url", headers: [RouteTests.member]), expected, code)
            #expect(try await server.ask("POST", "\(Self.path(status))/mail", headers: [RouteTests.member], body: "").status == mail)
        }
    }

    @Test("another mail is answered with the export; without a verified address, a session or an export it is refused (decision D11)")
    func mail() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let asked = try await server.ask("POST", "\(Self.path(.ready))/mail", headers: [RouteTests.member], body: "")
            #expect(asked.status == 202 && asked.json?["id"] == .string(Stub.export.id.description))
            ProblemTests.expectShape(
                try await server.ask("POST", "/v1/exports/\(Stub.unmailable.id)/mail", headers: [RouteTests.member], body: ""), 403,
                "address_not_verified")
            for (method, way) in [("GET", "url"), ("POST", "mail")] {
                let body = method == "POST" ? "" : nil
                ProblemTests.expectShape(try await server.ask(method, "\(Self.path(.ready))/\(way)", body: body), 401, "unauthorized")
                ProblemTests.expectShape(
                    try await server.ask(method, "/v1/exports/\(RouteTests.id)/\(way)", headers: [RouteTests.member], body: body), 404,
                    "not_found")
            }
        }
    }

    @Test("a request that names an address wants a mail")
    func contradiction() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let headers = [RouteTests.json, RouteTests.member]
            let days = #""from":"2026-07-01","to":"2026-07-02""#
            for mail in ["true", "false", "null"] {
                #expect(try await server.ask("POST", "/v1/exports", headers: headers, body: "{\(days),\"mail\":\(mail)}").status == 202)
            }
            #expect(try await server.ask("POST", "/v1/exports", headers: headers, body: "{\(days),\"mail\":1}").pointers == ["/mail"])
            let both = "{\(days),\"mail\":false,\"email\":\"anna@example.org\"}"
            #expect(try await server.ask("POST", "/v1/exports", headers: headers, body: both).pointers == ["/mail"])
        }
    }
}
