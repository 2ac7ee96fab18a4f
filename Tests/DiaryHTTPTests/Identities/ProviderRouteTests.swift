import DiaryCore
import DiaryHTTP
import DiaryTesting
import FoundationEssentials
import TestHTTPClient
import Testing
import WireFormats

@Suite("Routes of providers") struct ProviderRouteTests {
    private static let json = "Content-Type: application/json"

    private static func tenant() -> Tenant {
        var tenant = Stub.tenant("diary")
        tenant.appleClientIDs = ["com.example.diary"]
        return tenant
    }

    @Test("a challenge is a nonce with its expiry, and is not cached")
    func challenge() async throws {
        try await withRoutes(try Stub.routes()) { (server: Harness) async throws in
            let answer = try await server.ask("POST", "/v1/auth/challenge")

            #expect(answer.status == 201 && answer.header("cache-control") == "no-store")
            guard case .string(let nonce)? = answer.json?["nonce"] else { throw DiaryError(.internalError) }
            #expect(nonce.utf8.count == 43 && answer.json?["expires_at"] == .string("2026-07-04T07:40:00.000Z"))
        }
    }

    @Test("the configuration lists the sign-in methods of the requesting app")
    func config() async throws {
        var other = Stub.tenant("other")
        other.googleClientIDs = ["g"]
        let tenants = [Self.tenant(), other]
        try await withRoutes(try Stub.routes(tenants: tenants)) { (server: Harness) async throws in
            for (app, methods) in [("diary", ["email", "apple"]), ("other", ["email", "google"]), (nil, ["email"])] {
                let answer = try await server.ask("GET", "/v1/config", headers: app.map { ["Diary-App: \($0)"] } ?? [])
                #expect(answer.json?["sign_in"] == .array(methods.map { .string($0) }) && answer.header("vary") == "Diary-App, Origin")
            }
            ProblemTests.expectShape(try await server.ask("GET", "/v1/config", headers: ["Diary-App: unknown"]), 400, "app_unknown")
        }
    }

    @Test(
        "missing and too long fields are named; a bad token, a provider that is not offered, and a notice that is not Apple's have their own errors"
    )
    func refusals() async throws {
        let tenants = [Self.tenant()]
        try await withRoutes(try Stub.routes(tenants: tenants)) { (server: Harness) async throws in
            func post(_ path: String, _ body: String) async throws -> Answer {
                try await server.ask("POST", path, headers: [Self.json], body: body)
            }
            let fields = try await post("/v1/auth/apple", #"{"nonce":""}"#)
            let long = try await post("/v1/auth/apple", #"{"nonce":"n","id_token":"\#(String(repeating: "a", count: 8193))"}"#)
            let bad = try await post("/v1/auth/apple", #"{"nonce":"n","id_token":"bad"}"#)
            let off = try await post("/v1/auth/google", #"{"nonce":"n","id_token":"good"}"#)
            let opened = try await post("/v1/auth/apple", #"{"nonce":"n","id_token":"good"}"#)
            let notice = try await post("/v1/apple/notifications", #"{"payload":"bad"}"#)
            let good = try await post("/v1/apple/notifications", #"{"payload":"good"}"#)

            #expect(fields.status == 422 && fields.pointers == ["/id_token", "/nonce"])
            #expect(long.status == 422 && long.pointers == ["/id_token"])
            ProblemTests.expectShape(bad, 403, "token_refused")
            ProblemTests.expectShape(off, 409, "provider_not_configured")
            #expect(opened.status == 200 && opened.json?["is_new"] == .bool(true) && opened.json?["app"] == .string("diary"))
            // The stub's accounts cannot be read, and the session is open all the same.
            #expect(opened.json?["refresh_token"] != nil && opened.json?["profile"] == nil)
            ProblemTests.expectShape(notice, 403, "token_refused")
            #expect(good.status == 200 && good.json?["status"] == .string("handled"))
        }
    }
}
