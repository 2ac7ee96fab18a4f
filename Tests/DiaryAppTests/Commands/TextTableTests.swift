import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryApp

@Suite("Tables of commands")
struct TextTableTests {
    @Test("columns stand below their headings, and no line ends with a space")
    func columns() {
        var table = TextTable("token key", "state", "ends at")
        table.add("abc", "signing", "")
        table.add("a-longer-id", "old", "2026-11-22T20:15:42Z")

        #expect(
            table.lines == [
                "TOKEN KEY    STATE    ENDS AT",
                "abc          signing",
                "a-longer-id  old      2026-11-22T20:15:42Z",
            ])
    }

    @Test("a form's fields are members of JSON by name, columns as they are declared, and the shape of both in --help")
    func form() {
        let inner = ReportForm<Int>(.member("n") { $0 })
        let form = ReportForm<(name: String, at: Date?, tags: [String])>(
            .field("some_name") { $0.name }, .field("at", none: "-") { $0.at }, .member("ended", orNull: true) { $0.at },
            .column("tags") { $0.tags.joined(separator: ", ") }, .list("parts", inner) { _ in [1, 2] })

        #expect(form.shape == "{some_name, at, ended, parts: [{n}]}")
        #expect(form.json(("a \"b\"", nil, [])) == #"{"ended":null,"parts":[{"n":1},{"n":2}],"some_name":"a \"b\""}"#)
        #expect(
            form.json(("a/b", Date(timeIntervalSince1970: 1_790_000_000.9), []))
                == #"{"at":"2026-09-21T14:13:20Z","ended":"2026-09-21T14:13:20Z","parts":[{"n":1},{"n":2}],"some_name":"a/b"}"#)
        #expect(form.table([("a", nil, ["x", "y"])]).lines == ["SOME NAME  AT  TAGS", "a          -   x, y"])
    }

    @Test("every setting of an app has the default that holds without it")
    func defaults() throws {
        let report = TenantSettingsReport(
            configuration: nil,
            environment: Environment(["DIARY_RATE_FACTOR": "2", "DIARY_MAX_AUDIO_BYTES": "7", "DIARY_MAX_AUDIO_SECONDS": "36000"]))
        func fallback(_ name: String) throws -> String { try report.fallback(try #require(TenantSetting.named(name))) }

        #expect(try fallback("limits.entries_per_day") == "1000" && fallback("limits.login_per_minute") == "60")
        #expect(try fallback("limits.audio_max_bytes") == "7" && fallback("limits.audio_max_seconds") == "36000")
        #expect(try fallback("limits.upload_window_seconds") == "604800" && fallback("limits.upload_url_seconds") == "900")
        #expect(try fallback("cleanup") == "on" && fallback("retention.tombstone_days") == "90")
        #expect(try fallback("hosted_processing") == "allowed" && fallback("limits.storage_bytes") == "none")
        for setting in TenantSetting.all { #expect(try report.fallback(setting) != "the service's own", "\(setting.name)") }
    }
}
