import DiaryHTTP
import DiaryTesting
import FoundationEssentials
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Routes") struct RouteTests {
    static let member = "Authorization: Bearer good-token"
    static let json = "Content-Type: application/json"
    static let id = "019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f"

    @Test("without Redis the service is degraded and ready, without its database it is not")
    func readiness() async throws {
        try await withRoutes(Stub.routes(redisIsUp: false)) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/readyz")
            #expect(answer.status == 200)
            #expect(answer.json?["status"] == .string("degraded"))
        }
        try await withRoutes(Stub.routes(databaseIsUp: false)) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/readyz")
            #expect(answer.status == 503)
            #expect(answer.header("retry-after") != nil)
        }
    }

    @Test(
        "a service says how its schema stands, and is ready on its own and on a newer one only",
        arguments: [
            (SchemaState.current, 200, "ready"), (.newer, 200, "ready"), (.unknown, 503, "unavailable"), (.older, 503, "unavailable"),
            (.different, 503, "unavailable"),
        ])
    func schema(state: SchemaState, status: Int, word: String) async throws {
        try await withRoutes(Stub.routes(schema: state)) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/readyz")
            #expect(answer.status == status)
            #expect(answer.json?["status"] == .string(word))
            #expect(answer.json?["schema"] == .string(state.rawValue))
        }
    }

    @Test("without a worker, or with little space on the disk, the service is degraded and ready; without its disk it is not")
    func restrictions() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            #expect(try await server.ask("GET", "/readyz").json?["status"] == .string("ready"))
        }
        try await withRoutes(Stub.routes(workersAreUp: false)) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/readyz")
            #expect(answer.status == 200)
            #expect(answer.json?["status"] == .string("degraded"))
            #expect(answer.json?["checks"]?.object?["workers"] == .string("down"))
        }
        try await withRoutes(Stub.routes(storage: .degraded)) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/readyz")
            #expect(answer.status == 200)
            #expect(answer.json?["status"] == .string("degraded"))
            #expect(answer.json?["checks"]?.object?["storage"] == .string("degraded"))
        }
        try await withRoutes(Stub.routes(storage: .down)) { (server: Harness) async throws in
            #expect(try await server.ask("GET", "/readyz").status == 503)
        }
    }

    @Test("the app is the one named, the only one, or unknown; a suspended one is unknown too")
    func apps() async throws {
        let body = #"{"purpose":"sign_up","email":"anna@example.org","request":"q83vEjRWeJCrze8SNFZ4kA"}"#
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            #expect(try await server.ask("POST", "/v1/auth/codes", headers: [Self.json], body: body).status == 202)
            let other = try await server.ask("POST", "/v1/auth/codes", headers: [Self.json, "Diary-App: other"], body: body)
            ProblemTests.expectShape(other, 400, "app_unknown")
            #expect(other.pointers == ["header/diary-app"])
        }
        try await withRoutes(Stub.routes(tenants: [Stub.tenant("a"), Stub.tenant("b", suspended: true)])) {
            (server: Harness) async throws in
            #expect(try await server.ask("POST", "/v1/auth/codes", headers: [Self.json], body: body).code == "app_unknown")
            #expect(
                try await server.ask("POST", "/v1/auth/codes", headers: [Self.json, "Diary-App: b"], body: body).code == "app_unknown")
            #expect(try await server.ask("POST", "/v1/auth/codes", headers: [Self.json, "Diary-App: a"], body: body).status == 202)
        }
    }

    @Test("a code is asked for with the members of its purpose alone; two purposes need a session, and no app beside it")
    func codes() async throws {
        try await withRoutes(Stub.routes(tenants: [Stub.tenant("a"), Stub.tenant("b")])) { (server: Harness) async throws in
            func ask(_ body: String, _ headers: [String] = []) async throws -> Answer {
                try await server.ask("POST", "/v1/auth/codes", headers: [Self.json] + headers, body: body)
            }
            let (email, request) = (#""email":"anna@example.org""#, #""request":"q83vEjRWeJCrze8SNFZ4kA""#)
            for (body, pointers) in [
                ("{}", ["/purpose", "/email"]), (#"{"purpose":"reset",\#(email)}"#, ["/purpose"]),
                (#"{"purpose":"sign_up",\#(email)}"#, ["/request"]), (#"{"purpose":"sign_in"}"#, ["/email"]),
                (#"{"purpose":"new_password",\#(email),\#(request)}"#, ["/request"]),
                (#"{"purpose":"proof",\#(email),\#(request)}"#, ["/email", "/request"]),
            ] { #expect(try await ask(body, ["Diary-App: a"]).pointers == pointers, "\(body)") }

            for purpose in ["sign_in", "new_password"] {
                let body = #"{"purpose":"\#(purpose)",\#(email)}"#
                #expect(try await ask(body).code == "app_unknown")
                #expect(try await ask(body, ["Diary-App: a"]).status == 202)
            }
            for (body, code) in [
                (#"{"purpose":"new_email",\#(email)}"#, "reauthentication_required"), (#"{"purpose":"proof"}"#, "address_not_verified"),
            ] {
                let anonymous = try await ask(body, ["Diary-App: a"])
                ProblemTests.expectShape(anonymous, 401, "unauthorized")
                #expect(anonymous.header("www-authenticate") == "Bearer")
                let invalid = try await ask(body, ["Authorization: Bearer bad-token"])
                #expect(invalid.status == 401 && invalid.header("www-authenticate") == #"Bearer error="invalid_token""#)
                #expect(try await ask(body, [Self.member]).code == code)
            }
        }
    }

    @Test("sign-up reports all errors of its fields at once; a zone or a language that nobody knows is none")
    func registration() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let bad = #"{"email":"anna","password":"long enough it is","time_zone":7,"locale":["en"]}"#
            let answer = try await server.ask("POST", "/v1/auth/email/register", headers: [Self.json], body: bad)
            ProblemTests.expectShape(answer, 422, "invalid_fields")
            #expect(Set(answer.pointers) == ["/email", "/time_zone", "/locale"])

            for (zone, locale) in [("../etc", "e"), ("Etc/Unknown", "und"), ("Europe//Berlin", "english language"), ("", "")] {
                let device = #""password":"seven quiet lighthouses","time_zone":"\#(zone)","locale":"\#(locale)"}"#
                let faulty = #"{"email":"anna",\#(device)"#
                #expect(try await server.ask("POST", "/v1/auth/email/register", headers: [Self.json], body: faulty).pointers == ["/email"])
                let whole = #"{"email":"anna@example.org",\#(device)"#
                #expect(try await server.ask("POST", "/v1/auth/email/register", headers: [Self.json], body: whole).status == 202, "\(zone)")
            }

            let own = #"{"email":"anna@example.org","password":"xx anna@example.org"}"#
            #expect(try await server.ask("POST", "/v1/auth/email/register", headers: [Self.json], body: own).pointers == ["/password"])

            let good = #"{"email":"anna@example.org","password":"seven quiet lighthouses","time_zone":"Europe/Berlin"}"#
            #expect(try await server.ask("POST", "/v1/auth/email/register", headers: [Self.json], body: good).status == 202)
        }
    }

    @Test("unknown accounts and malformed refresh tokens are 401, wrong codes 403, each with its code (B8)")
    func refusals() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let login = #"{"email":"anna@example.org","password":"seven quiet lighthouses"}"#
            #expect(try await server.ask("POST", "/v1/auth/email", headers: [Self.json], body: login).code == "invalid_credentials")
            let code = #"{"email":"anna@example.org","code":"12345678","request":"q83vEjRWeJCrze8SNFZ4kA"}"#
            ProblemTests.expectShape(
                try await server.ask("POST", "/v1/auth/email/verify", headers: [Self.json], body: code), 403, "code_refused")
            let short = #"{"email":"anna@example.org","code":"12345","request":"q83vEjRWeJCrze8SNFZ4kA"}"#
            #expect(try await server.ask("POST", "/v1/auth/email/verify", headers: [Self.json], body: short).pointers == ["/code"])
            let token = #"{"refresh_token":"x"}"#
            #expect(try await server.ask("POST", "/v1/auth/refresh", headers: [Self.json], body: token).code == "refresh_refused")
        }
    }

    @Test("a recording is answered with its upload, a text without one; a replay says so (A7)")
    func creation() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let voice = #"{"kind":"voice","id":"\#(Self.id)","size_bytes":10,"content_type":"audio/mp4"}"#
            let created = try await server.ask("POST", "/v1/entries", headers: [Self.json, Self.member], body: voice)
            #expect(created.status == 201)
            #expect(created.header("location") == "/v1/entries/\(Self.id)")
            #expect(created.header("etag") == "\"1\"")
            #expect(created.header("idempotency-replayed") == nil)
            #expect(created.json?["entry_id"] == .string(Self.id))
            #expect(created.json?["upload"] != nil)
            #expect(created.text.contains("\"filename\":\"2026-07-04_09-30-00_6c1d2e3f.m4a\""))

            let text = #"{"kind":"text","text":"We swam.","tags":["lake"]}"#
            let again = try await server.ask("POST", "/v1/entries", headers: [Self.json, Self.member, "Idempotency-Key: 1"], body: text)
            #expect(again.status == 201)
            #expect(again.header("idempotency-replayed") == "true")
            #expect(again.json?["upload"] == nil)
            #expect(again.text.contains("\"filename\":null"))
        }
    }

    @Test("the configuration tells the windows and lives that hold for the app, and a new recording the end of its own window")
    func windows() async throws {
        var tenant = Stub.tenant("diary")
        try tenant.configuration.set("limits.upload_window_seconds", to: "7200")
        try tenant.configuration.set("limits.upload_url_seconds", to: "3600")
        try tenant.configuration.set("limits.audio_max_seconds", to: "60")
        try tenant.configuration.set("retention.tombstone_days", to: "30")
        try tenant.configuration.set("limits.storage_bytes", to: "9000")
        try tenant.configuration.set("hosted_processing", to: "consent")
        try await withRoutes(Stub.routes(tenants: [tenant])) { (server: Harness) async throws in
            let config = try await server.ask("GET", "/v1/config").text
            for member in [
                #""upload_url_seconds":3600,"upload_window_seconds":7200"#, #""audio_max_seconds":60"#, #""tombstone_days":30"#,
                #""idempotency_seconds":172800"#,
                #""code_seconds":1800"#, #""refresh_idle_seconds":2592000"#, #""refresh_max_seconds":7776000"#,
                #""storage_max_bytes":9000,"engine_minutes_per_day":null"#, #""hosted_processing":"consent""#,
            ] { #expect(config.contains(member)) }

            let voice = #"{"kind":"voice","size_bytes":10,"content_type":"audio/mp4","duration_s":60}"#
            let created = try await server.ask("POST", "/v1/entries", headers: [Self.json, Self.member], body: voice)
            #expect(created.text.contains(#""upload_expires_at":"2026-07-04T09:30:00.000Z""#))
            #expect(created.text.contains(#""expires_at":"2026-07-04T08:30:00.000Z""#), "of the URL")
            let long = #"{"kind":"voice","size_bytes":10,"content_type":"audio/mp4","duration_s":61}"#
            #expect(try await server.ask("POST", "/v1/entries", headers: [Self.json, Self.member], body: long).pointers == ["/duration_s"])
        }
    }

    @Test(
        "an invalid entry is refused with an error for each field",
        arguments: [
            (#"{}"#, ["/kind"]),
            (#"{"kind":"video"}"#, ["/kind"]),
            (#"{"text":"a"}"#, ["/kind"]),
            (#"{"kind":"voice"}"#, ["/size_bytes", "/content_type"]),
            (#"{"kind":"voice","size_bytes":0,"content_type":"text/html"}"#, ["/size_bytes", "/content_type"]),
            (#"{"kind":"voice","size_bytes":524288001,"content_type":"audio/mp4"}"#, ["/size_bytes"]),
            (#"{"kind":"voice","size_bytes":524288001,"content_type":"audio/mp4","duration_s":14401}"#, ["/size_bytes", "/duration_s"]),
            (#"{"kind":"voice","size_bytes":1,"content_type":"audio/mp4","duration_s":-0.5}"#, ["/duration_s"]),
            (#"{"kind":"voice","size_bytes":1,"content_type":"audio/mp4","text":"a"}"#, ["/text"]),
            (#"{"kind":"text"}"#, ["/text"]),
            (#"{"kind":"text","text":""}"#, ["/text"]),
            (#"{"kind":"text","text":7}"#, ["/text"]),
            (#"{"kind":"text","text":"a","size_bytes":1,"sha256":"00"}"#, ["/size_bytes", "/sha256", "/sha256"]),
            (#"{"kind":"text","text":"a","recorded_at":"0001-01-01T00:00:00Z"}"#, ["/recorded_at"]),
            (#"{"kind":"text","text":"a","time_zone":7}"#, ["/time_zone"]),
            (#"{"kind":"text","text":"a","time_zone":["Europe/Berlin"]}"#, ["/time_zone"]),
            (#"{"kind":"text","text":"a","time_zone":"\#(String(repeating: "a", count: 201))"}"#, ["/time_zone"]),
            (#"{"kind":"text","text":"a","tags":["ok",""]}"#, ["/tags/1"]),
            (#"{"kind":"text","text":"a","language":"english language"}"#, ["/language"]),
        ])
    func drafts(body: String, pointers: [String]) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let answer = try await server.ask("POST", "/v1/entries", headers: [Self.json, Self.member], body: body)
            ProblemTests.expectShape(answer, 422, "invalid_fields")
            #expect(Set(answer.pointers) == Set(pointers))
        }
    }

    @Test(
        "a new entry is not refused for its zone: one that nobody knows is as none, and the account's counts",
        arguments: [
            ("Europe//Berlin", nil), ("../etc", nil), ("Etc/Unknown", nil), ("localtime", nil), ("IST", nil), ("posix/Europe/Berlin", nil),
            ("+05:17", nil), ("", nil), ("Europe/Berlin", "Europe/Berlin"), ("GMT+0530", "Asia/Kolkata"),
        ] as [(String, String?)])
    func zones(named: String, kept: String?) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let body = #"{"kind":"text","text":"We swam.","time_zone":"\#(named)"}"#
            let answer = try await server.ask("POST", "/v1/entries", headers: [Self.json, Self.member], body: body)
            #expect(answer.status == 201)
            // The stub's account is in UTC.
            #expect(answer.text.contains(#""time_zone":"\#(kept ?? "UTC")""#), "\(answer.text)")
        }
    }

    @Test("feed and listing by date are distinguished by since and cannot be mixed")
    func pages() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            func get(_ query: String) async throws -> Answer { try await server.ask("GET", "/v1/entries\(query)", headers: [Self.member]) }
            for query in [
                "?since=0", "?since=0&limit=200", "?since=2026-07-04T09:30:00+02:00", "?since=0&limit=50&order=desc&view=full",
                "?since=\(SyncCursor(changeNumber: 3, purgedThrough: 0, epoch: 0).text)",
            ] {
                let feed = try await get(query)
                #expect(feed.status == 200 && feed.json?["next_cursor"] == .null && feed.json?["has_more"] == .bool(false), "\(query)")
                #expect(feed.json?["next_since"] != .null && feed.json?["deleted"] == .array([]), "\(query)")
            }
            for query in ["?since=0", "?since=0&limit=200&view=full", "?since=2026-07-04T09:30:00Z"] {
                let changes = try await server.ask("GET", "/v1/changes\(query)", headers: [Self.member])
                let feed = try await get(query)
                #expect(changes.status == 200 && changes.body == feed.body, "\(query)")
            }
            for parameter in ["order=desc", "from=2026-07-01", "cursor=a", "limit=0", "since=nonsense"] {
                let refused = try await server.ask("GET", "/v1/changes?\(parameter)", headers: [Self.member])
                #expect(refused.pointers == ["query/\(parameter.prefix(while: { $0 != "=" }))"], "\(parameter)")
            }
            for query in [
                "", "?limit=200", "?order=desc&limit=50&view=full", "?order=asc", "?view=summary", "?from=2026-07-01&to=2026-07-31",
                "?from=2026-07-01&limit=1", "?sort=duration", "?sort=updated_at&order=asc",
                "?from=2026-07-01T00:00:00Z&to=2026-07-31T23:59:59+02:00",
            ] {
                let listing = try await get(query)
                #expect(listing.status == 200 && listing.json?["next_cursor"] == .null && listing.json?["next_since"] == .null, "\(query)")
                #expect(listing.json?["deleted"] == .array([]) && listing.json?["has_more"] == .bool(false), "\(query)")
            }
            for parameter in [
                "sort=duration", "order=asc", "from=2026-07-01", "to=2026-07-01", "cursor=a", "tag=a", "mood=a", "kind=text",
                "status=failed",
                "favorite=false",
            ] {
                let mixed = try await get("?since=2026-07-04T09:30:00Z&\(parameter)")
                #expect(mixed.pointers == ["query/\(parameter.prefix(while: { $0 != "=" }))"], "\(parameter)")
            }
            for parameter in ["kind=photo", "status=archived", "favorite=1", "tag=", "mood=", "view=short", "order=", "sort=title"] {
                #expect(try await get("?\(parameter)").pointers == ["query/\(parameter.prefix(while: { $0 != "=" }))"], "\(parameter)")
            }
            #expect(try await get("?since=nonsense").pointers == ["query/since"])
            #expect(try await get("?cursor=nonsense").pointers == ["query/cursor"])
            #expect(try await get("?limit=201").pointers == ["query/limit"])
            #expect(try await get("?from=2026-07-02&to=2026-07-01").pointers == ["query/to"])
            #expect(try await get("?form=2026-07-02").pointers == ["query/form"])
        }
    }

    @Test("a change requires If-Match, refuses unknown members, and accepts a merge patch")
    func changes() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let merge = "Content-Type: application/merge-patch+json"
            let path = "/v1/entries/\(Self.id)"
            ProblemTests.expectShape(
                try await server.ask("PATCH", path, headers: [merge, Self.member], body: "{}"), 428, "precondition_required")
            let unknown = try await server.ask(
                "PATCH", path, headers: [merge, Self.member, "If-Match: \"1\""], body: #"{"titel":"a","status":"failed"}"#)
            #expect(unknown.pointers == ["/status", "/titel"])
            #expect(
                try await server.ask("PATCH", path, headers: [merge, Self.member, "If-Match: *"], body: #"{"title":null}"#).status == 404)
            #expect(try await server.ask("PATCH", path, headers: [Self.json, Self.member, "If-Match: \"1\""], body: "{}").status == 404)
            for (body, pointers) in [
                (#"{"recorded_at":null,"time_zone":null}"#, ["/recorded_at", "/time_zone"]),
                (#"{"recorded_at":"1899-12-31T23:59:59Z","time_zone":"UTC+25"}"#, ["/recorded_at", "/time_zone"]),
                (#"{"recorded_at":"2026-07-04T09:30:00","time_zone":""}"#, ["/recorded_at", "/time_zone"]),
            ] {
                #expect(try await server.ask("PATCH", path, headers: [merge, Self.member, "If-Match: *"], body: body).pointers == pointers)
            }
            // Postgres would read these as rules of its own or as files; a distance from UTC is read here, as devices mean it.
            for zone in ["Europe//Berlin", "../etc", "localtime", "IST", "CET-1CEST", "posix/Europe/Berlin", "7"] {
                let body = #"{"time_zone":"\#(zone)"}"#
                let refused = try await server.ask("PATCH", path, headers: [merge, Self.member, "If-Match: *"], body: body)
                #expect(refused.pointers == ["/time_zone"], "\(zone)")
            }
            let distance = #"{"time_zone":"UTC+5"}"#
            #expect(try await server.ask("PATCH", path, headers: [merge, Self.member, "If-Match: *"], body: distance).status == 404)
            let patchJSON = "Content-Type: application/merge-patch+jsonx"
            #expect(try await server.ask("PATCH", path, headers: [patchJSON, Self.member, "If-Match: \"1\""], body: "{}").status == 415)
            #expect(try await server.ask("DELETE", path, headers: [Self.member]).status == 404)
            #expect(try await server.ask("DELETE", path, headers: [Self.member, "If-Match: 4"]).pointers == ["header/if-match"])
            #expect(try await server.ask("GET", "\(path)/transcript?format=srt", headers: [Self.member]).pointers == ["query/format"])
        }
    }

    @Test("an upload is answered with the digest of what arrived")
    func upload() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let key = ObjectKey(kind: .staging, tenant: Stub.owner.tenant, user: Stub.owner.user, object: UUID())
            let stored = try await server.ask("PUT", "/objects/\(key)?X-Amz-Signature=0", headers: ["Content-Type: audio/mp4"], body: "abc")
            #expect(stored.status == 200)
            #expect(stored.header("x-amz-checksum-sha256") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
            #expect(stored.header("etag") == "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"")

            let refused = try await server.ask(
                "PUT", "/objects/\(key)?X-Amz-Signature=1", headers: ["Content-Type: audio/mp4"], body: "abc")
            ProblemTests.expectShape(refused, 403, "upload_refused")
        }
    }
}
