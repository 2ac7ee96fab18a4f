import DiaryTesting
import FoundationEssentials
import HTTPTypes
import NIOCore
import TestHTTPClient
import Testing

@testable import DiaryCore
@testable import DiaryHTTP

@Suite("Mailed links") struct ExportLinkTests {
    static let browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    @Test("the page escapes what it shows, has no script, is not indexed and posts to the download (E3)")
    func landing() async throws {
        var app = Stub.tenant("diary")
        app.name = "<Day> & Co"
        try await withRoutes(Stub.routes(tenants: [app])) { (server: Harness) async throws in
            let token = Stub.token()
            let page = try await server.ask("GET", "/exports/\(token)")
            #expect(page.status == 200)
            #expect(page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.text.contains("<p class=\"brand\">&lt;Day&gt; &amp; Co</p>"))
            #expect(page.text.contains("<h1>Your &lt;Day&gt; &amp; Co export</h1>"))
            #expect(page.text.contains("<dd>1 to 31 July 2026</dd>") && page.text.contains("3 of 5"))
            // The stub's zone is none. Until the link's end, and until the zip's where that is earlier.
            #expect(page.text.contains("<dd>4 July 2026, 08:30 (UTC)</dd>"))
            let long = try await server.ask("GET", "/exports/\(Stub.token(expiresIn: 1_000_000))")
            #expect(long.text.contains("<dd>5 July 2026, 07:30 (UTC)</dd>"))
            #expect(page.text.contains("uses one download") && page.text.contains("Do not pass it on"))
            #expect(page.text.contains("<link rel=\"icon\" href=\"data:image/svg+xml,"), "no request for /favicon.ico")
            #expect(page.header("content-security-policy")?.contains("; img-src data:; ") == true)
            #expect(page.text.contains("<form method=\"post\" action=\"/exports/\(token)/download\">"))
            #expect(!page.text.contains("<script"))
            #expect(page.header("cache-control") == "no-store")
            #expect(page.header("x-robots-tag") == "noindex")
            #expect(page.header("content-security-policy")?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
            #expect(try await server.ask("HEAD", "/exports/\(token)").status == 200)
        }
    }

    @Test("the page has the app's color and logo as its mails have, and may load nothing else")
    func brand() async throws {
        var app = Stub.tenant("diary")
        try app.configuration.set("mail.color", to: "#ffee00")
        try app.configuration.set("mail.logo", to: "https://my-day.example/logo.png?a=1&b=2")
        try await withRoutes(Stub.routes(tenants: [app])) { (server: Harness) async throws in
            let page = try await server.ask("GET", "/exports/\(Stub.token())")

            #expect(
                page.text.contains("<p class=\"brand\"><img src=\"https://my-day.example/logo.png?a=1&amp;b=2\" alt=\"Diary\"></p>"))
            #expect(page.text.contains(":root{--brand:#ffee00;--letters:#000000}"))
            #expect(page.header("content-security-policy")?.contains("; img-src data: https://my-day.example; ") == true)
        }
    }

    @Test("the button leads to the zip, whole or by ranges")
    func download() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let taken = try await server.ask("POST", "/exports/\(Stub.token())/download", body: "")
            #expect(taken.status == 303)
            let place = taken.header("location") ?? ""
            #expect(place.hasPrefix("/exports/\(Stub.token())/file?expires="))

            let whole = try await server.ask("GET", place)
            #expect(whole.status == 200 && whole.text == "0123456789")
            #expect(whole.header("content-disposition") == "attachment; filename=\"diary_2026-07-01_2026-07-31.zip\"")
            #expect(whole.header("accept-ranges") == "bytes")
            let tag = whole.header("etag") ?? ""

            let part = try await server.ask("GET", place, headers: ["Range: bytes=2-4", "If-Range: \(tag)"])
            #expect(part.status == 206 && part.text == "234")
            #expect(part.header("content-range") == "bytes 2-4/10")
            #expect(try await server.ask("GET", place, headers: ["Range: bytes=2-4", "If-Range: \"other\""]).status == 200)

            let outside = try await server.ask("GET", place, headers: ["Range: bytes=10-"])
            ProblemTests.expectShape(outside, 416, "range_not_satisfiable")
            #expect(outside.header("content-range") == "bytes */10")

            let head = try await server.ask("HEAD", place, headers: ["Range: bytes=2-4"])
            #expect(head.status == 200 && head.header("content-length") == "10")
        }
    }

    @Test("a download address to which something was added is refused (E3)")
    func addedParameters() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let place = try await server.ask("POST", "/exports/\(Stub.token())/download", body: "").header("location") ?? ""
            let query = place.split(separator: "?").last.map(String.init) ?? ""
            for added in ["&expires=1", "&signature=x", "&\(query)", "&other=1", "&%ff=1", "&expires[]=1"] {
                ProblemTests.expectShape(try await server.ask("GET", place + added), 403, "link_refused")
            }
            #expect(try await server.ask("GET", place).status == 200)
        }
    }

    @Test("errors are pages for people and problem documents for programs")
    func errors() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let page = try await server.ask("GET", "/exports/nonsense", headers: [Self.browser])
            #expect(page.status == 403)
            #expect(page.header("content-type") == "text/html; charset=utf-8")
            #expect(
                server.lines.all.contains { $0.contains("\"status\":403") && $0.contains("\"code\":\"link_refused\"") },
                "the log names it")
            ProblemTests.expectShape(try await server.ask("GET", "/exports/nonsense"), 403, "link_refused")
            ProblemTests.expectShape(try await server.ask("GET", "/exports/nonsense", headers: ["Accept: */*"]), 403, "link_refused")
            ProblemTests.expectShape(try await server.ask("GET", "/exports/\(Stub.token(expiresIn: 0))"), 410, "link_expired")
            ProblemTests.expectShape(try await server.ask("GET", "/exports/\(Stub.token())/file"), 403, "link_refused")
            ProblemTests.expectShape(
                try await server.ask("GET", "/exports/\(Stub.token())/file?expires=1&signature=x"), 403, "link_refused")
        }
    }

    @Test("one day is one day, and the end of the link is in the zone and the order of the account")
    func dates() {
        var export = Stub.export
        (export.selection.to, export.timeZone, export.locale) = (export.from, "America/Los_Angeles", "en-US")

        let reply = ExportLinkPage.landing(.init(export: export, app: nil), action: "/x", in: .en)

        guard case .bytes(let body) = reply.body else {
            Issue.record("no page")
            return
        }
        let text = String(buffer: body)
        #expect(text.contains("<dt>Day</dt><dd>July 1, 2026</dd>") && text.contains("<h1>Your diary export</h1>"))
        #expect(text.contains("<dt>Works until</dt><dd>July 5, 2026, 12:30 AM (Los Angeles time)</dd>"))
        #expect(!text.contains("2026-"))
    }

    @Test(
        "the page of an export in parts has a button for each part that is left, with what is in it, and no number of downloads of the whole"
    )
    func parts() {
        var export = Stub.export
        export.parts = [1, 2].map { number in
            ExportPart(
                number: number, object: UUID(), sizeBytes: Int64(number) * 1_000_000, entryCount: number,
                downloads: number == 2 ? export.maxDownloads : 0)
        }
        func page(in language: WrittenLanguage) -> String {
            let reply = ExportLinkPage.landing(.init(export: export, app: nil), action: "/x/download", in: language)
            guard case .bytes(let body) = reply.body else { return "no page" }
            return String(buffer: body)
        }
        let text = page(in: .en)

        #expect(text.contains("<form method=\"post\" action=\"/x/download?part=1\">") && !text.contains("part=2"))
        #expect(text.contains("Part 2 of 2: all downloads are used") && text.contains("1 entry, 1.0 MB, Downloads left: 5 of 5"))
        #expect(text.contains("<dt>Parts</dt><dd>2</dd>") && !text.contains("<dt>Downloads left</dt>"))
        for (language, words) in [
            (.en, "Reload this page to see"), (.de, "Lade diese Seite neu"), (.fr, "Rechargez cette page"),
            (.es, "Vuelve a cargar esta página"),
        ] as [(WrittenLanguage, String)] {
            #expect(page(in: language).contains(words), "\(language)")
        }
        #expect(export.filename(of: 2) == "diary_2026-07-01_2026-07-31_part2of2.zip")
        #expect(export.zip(nil) == nil && export.zip(3) == nil && export.zip(2)?.sizeBytes == 2_000_000)
    }

    @Test("a browser gets a page for every error where links lead, with the fields of the problem; the API answers programs")
    func pages() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let token = Stub.token()
            for (path, status, words) in [
                ("/exports/\(token)/download", 405, "press the button of its page"),
                ("/exports/\(token)/nothing", 404, "There is nothing here"),
                ("/", 404, "There is nothing here"), ("/favicon.ico", 404, "There is nothing here"),
                ("/exports/\(Stub.token(expiresIn: 0))", 410, "Ask for it again"), ("/exports/%ff", 400, "try again"),
            ] {
                let page = try await server.ask("GET", path, headers: [Self.browser])
                #expect(page.status == status && page.header("content-type") == "text/html; charset=utf-8", "\(path)")
                #expect(page.text.contains(words), "\(path)")
                #expect((page.header("allow") == nil) == (status != 405))
                let problem = try await server.ask("GET", path)
                #expect(problem.status == status && problem.header("content-type") == "application/problem+json", "\(path)")
            }
            let docs = "<a href=\"/api/docs\">"
            #expect(try await server.ask("GET", "/", headers: [Self.browser]).text.contains(docs))
            #expect(try await !server.ask("GET", "/exports/nonsense", headers: [Self.browser]).text.contains(docs))
            for path in ["/v1/nothing", "/v1/entries"] {
                let problem = try await server.ask("GET", path, headers: [Self.browser])
                #expect(problem.header("content-type") == "application/problem+json", "\(path)")
            }
        }
    }

    @Test(
        "one range is served; several or malformed ones get the whole",
        arguments: [
            ("bytes=0-", ByteRange.part(0..<10)), ("bytes=0-0", .part(0..<1)), ("bytes=3-99", .part(3..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=-99", .part(0..<10)), ("BYTES=1-2", .part(1..<3)), ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=5-4", .whole), ("bytes=0-1,3-4", .whole), ("bytes=-", .whole), ("bytes", .whole), ("lines=0-1", .whole),
            ("bytes=+1-2", .whole),
            ("bytes=9999999999999999999-", .whole),
        ])
    func ranges(field: String, expected: ByteRange) {
        #expect(ByteRange.parse(field, size: 10) == expected)
    }

    @Test(
        "time zones have the form of the zone database",
        arguments: [
            "UTC", "GB", "W-SU", "NZ-CHAT", "Europe/Berlin", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "US/East-Indiana",
            "Antarctica/DumontDUrville", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "GMT", "GMT0", "GMT+0", "GMT-0", "Etc/GMT0",
            "Etc/GMT+0",
            "Etc/GMT-0", "Etc/GMT+5", "Etc/GMT+12", "Etc/GMT-9", "Etc/GMT-14", "a/" + String(repeating: "a", count: 62),
        ])
    func zones(name: String) {
        #expect(Fields.isTimeZone(name))
    }

    @Test(
        "a text that is no zone name is refused before it reaches the database",
        arguments: [
            "", "/", "Europe/", "/Berlin", "A//B", "5A", "A_", "A_-B", "A b", "Ä", "Europe/Zürich", "A\n", "A\0", "Z", "UTC+5", "utc+1",
            "Foo+5", "A-99",
            "Foo/Bar+5", "Foo/GMT-5", "GMT+5", "GMT-5", "GMT5", "GMT0x", "EST5", "EST5EDT4", "est5edt", "Etc/EST5EDT", "Etc/GMT5",
            "Etc/GMT+13",
            "Etc/GMT-15", "Etc/GMT+99", "Etc/GMT+05", "Etc/GMT+00", "Etc/GMT--1", "-05:00", "+01", "<+03>-3", "../UTC", "/etc/passwd",
            "Europe/Berlin/../UTC", "posixrules", "PosixRules", "localtime", "posix/UTC", "right/UTC", String(repeating: "a", count: 65),
        ])
    func notZones(name: String) {
        #expect(!Fields.isTimeZone(name))
    }

    @Test(
        "sizes are written in decimal units, in each language's way",
        arguments: [
            (WrittenLanguage.en, Int64(0), "0 bytes"), (.en, 999, "999 bytes"), (.en, 1000, "1.0 kB"), (.en, 4_250_000, "4.2 MB"),
            (.en, 5_000_000_000, "5.0 GB"), (.en, 9_007_199_254_740_991, "9,007,199.2 GB"), (.de, 4_250_000, "4,2 MB"),
            (.fr, 12, "12 octets"),
            (.fr, 4_250_000, "4,2 Mo"), (.es, 1_234_567_000_000, "1.234,5 GB"),
        ])
    func sizes(language: WrittenLanguage, bytes: Int64, text: String) {
        #expect(ExportLinkWords(language).size(bytes) == text)
    }

    @Test("numbers have plural forms and groups of thousands")
    func numbers() {
        func entries(_ language: WrittenLanguage, _ count: Int) -> String { ExportLinkWords(language).counted(.entries, count) }
        #expect([0, 1, 2, 70_000].map { entries(.en, $0) } == ["0 entries", "1 entry", "2 entries", "70,000 entries"])
        #expect([0, 1, 1_000].map { entries(.de, $0) } == ["0 Einträge", "1 Eintrag", "1.000 Einträge"])
        #expect([0, 1, 2].map { entries(.fr, $0) } == ["0 entrée", "1 entrée", "2 entrées"])
        #expect([1, 1_234_567].map { entries(.es, $0) } == ["1 entrada", "1.234.567 entradas"])
    }

    @Test("the pages have the texts of their sections, and no others stand there")
    func keys() {
        let sections = LanguageFile.of(.en).sections
        #expect(Set(sections[ExportLinkWord.section, default: [:]].keys) == Set(ExportLinkWord.allCases.map(\.rawValue)))
        #expect(Set(sections[UnsubscribeWord.section, default: [:]].keys) == Set(UnsubscribeWord.allCases.map(\.rawValue)))
    }

    @Test("every language says everything, and no number is left open", arguments: WrittenLanguage.allCases)
    func languages(language: WrittenLanguage) throws {
        var export = Stub.export
        export.locale = language.rawValue
        export.selection.kind = .voice
        export.selection.changedAfter = 3
        export.sealedTags = [1]
        export.contents = ExportContents(formats: Set(ExportFormat.allCases))
        var inParts = export
        inParts.parts = (1...3).map { ExportPart(number: $0, object: nil, sizeBytes: 1_500, entryCount: $0, downloads: $0 == 2 ? 5 : 0) }
        var used = export
        used.downloads = used.maxDownloads
        let errors = [ErrorCode.linkExpired, .linkRefused, .notFound, .methodNotAllowed, .unavailable]
        let pages =
            [export, inParts, used].map {
                ExportLinkPage.landing(.init(export: $0, app: AppBrand(name: "Day")), action: "/x", in: language)
            }
            + errors.map { ExportLinkPage.refusal(DiaryError($0), requestID: "r", docs: "/docs", in: language) }

        let texts = try pages.map { page in
            guard case .bytes(let body) = page.body else { throw NoPage() }
            return String(buffer: body)
        }
        for text in texts {
            #expect(text.contains("<html lang=\"\(language.rawValue)\">"))
            // Of the styles alone, and of escaped quotes.
            let body = try #require(text.split(separator: "<main>", maxSplits: 1).last)
            #expect(!body.replacing(/&#39;/, with: "").contains("#"), "\(body)")
            #expect(language == .en || !body.contains(/\b(entries|export the|Request|again|Size|Your)\b/), "\(body)")
        }
        #expect(texts[1].contains("action=\"/x?part=1\"") && !texts[1].contains("part=2") && texts[1].contains("part=3"))
        #expect(!texts[2].contains("<form"))
    }

    private struct NoPage: Error {}

    @Test("a page is in the account's language, else in the browser's, else in English")
    func chosenLanguage() async throws {
        func language(_ account: String?, _ accepted: String?) -> WrittenLanguage {
            var headers = HTTPFields()
            if let accepted { headers[.acceptLanguage] = accepted }
            return PageLanguage.of(account: account, headers)
        }
        #expect(language("de-AT", "fr") == .de)
        #expect(language(nil, "it, fr-CH;q=0.8, es;q=0.9") == .es)
        #expect(language("ja", "pt, fr;q=0.5, de;q=0.5") == .fr)
        #expect(language(nil, "de;q=0, x;q=y, *") == .en)
        #expect(language(nil, nil) == .en && language("", String(repeating: "a,", count: 5_000)) == .en)
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let page = try await server.ask("GET", "/exports/nonsense", headers: [Self.browser, "Accept-Language: de-DE,de;q=0.9"])
            #expect(page.status == 403 && page.text.contains("<html lang=\"de\">") && page.text.contains("Dieser Link ist ungültig"))
        }
    }
}
