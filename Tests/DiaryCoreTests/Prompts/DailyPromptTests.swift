import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

@Suite("Questions of the day")
struct DailyPromptTests {
    private func today(
        _ seconds: Double, zone: String = "UTC", locale: String? = nil, dayEndsMinute: Int = 0, _ settings: [String: String]
    ) async throws -> DailyPrompt {
        var tenant = Stub.tenant("diary")
        for (name, value) in settings { try tenant.configuration.set(name, to: value) }
        var ports = try FeaturePorts.stub(tenants: [tenant])
        ports.profiles = PromptedProfile(zone: zone, locale: locale, dayEndsMinute: dayEndsMinute)
        ports.clock = WallClock { Date(timeIntervalSince1970: seconds) }
        return try await PromptFeature(ports).today(of: TestTokens.member)
    }

    @Test("each of the list has its day, and the first comes again after the last")
    func days() async throws {
        let list = ["prompts.en": "one\n\n  two \r\nthree\n"]
        var texts: [String?] = []
        for day in 0..<4 { texts.append(try await today(Double(day) * 86_400, list).text) }

        #expect(texts == ["one", "two", "three", "one"])
        #expect(try await today(-1, list) == DailyPrompt(day: try #require(CalendarDay("1969-12-31")), language: "en", text: "three"))
    }

    @Test("the day is the member's: by their zone, and until their day ends")
    func ends() async throws {
        let list = ["prompts.en": "one\ntwo"]
        // 4 July 2026, 23:30 and 00:30 in Tokyo.
        #expect(try await today(1_783_175_400, zone: "Asia/Tokyo", list).day.description == "2026-07-04")
        #expect(try await today(1_783_179_000, zone: "Asia/Tokyo", list).day.description == "2026-07-05")
        #expect(try await today(1_783_179_000, zone: "Asia/Tokyo", dayEndsMinute: 60, list).day.description == "2026-07-04")
    }

    @Test("the list is of the member's language, else of the app's, else English; without one there is none")
    func languages() async throws {
        let lists = ["prompts.de": "eins", "prompts.de-AT": "ans", "prompts.fr": "un", "prompts.en": "one", "mail.locale": "fr"]

        #expect(try await today(0, locale: "de-AT", lists).text == "ans")
        #expect(try await today(0, locale: "de-CH", lists).text == "eins")
        #expect(try await today(0, locale: "pl", lists).text == "un")
        #expect(try await today(0, ["prompts.en": "one"]).language == "en")
        #expect(try await today(0, locale: "de", ["prompts.pl": "jeden"]) == DailyPrompt(day: try #require(CalendarDay("1970-01-01"))))
    }

    @Test(
        "a list is for a language, and has lines that can be shown",
        arguments: [
            ("prompts.", "one"), ("prompts.EN", "one"), ("prompts.english", "one"), ("prompts.en", ""), ("prompts.en", " \n "),
            ("prompts.en", "a\u{202e}b"), ("prompts.en", String(repeating: "x", count: 201)),
            ("prompts.en", String(repeating: "one\n", count: 367)),
            ("prompts.en", String(repeating: String(repeating: "ä", count: 200) + "\n", count: 40)),
        ])
    func forms(name: String, value: String) {
        var configuration = TenantConfiguration()

        #expect(throws: TenantSettingError.self) { try configuration.set(name, to: value) }
        #expect(configuration.values.isEmpty)
    }

    @Test("what is written is read again")
    func json() throws {
        var configuration = TenantConfiguration()
        try configuration.set("prompts.de-AT", to: "Was war schön?\n\nWas war neu?")

        #expect(TenantConfiguration(json: configuration.json) == configuration)
        #expect(configuration.promptCounts.map(\.count) == [2])
    }
}

private struct PromptedProfile: ProfileStore {
    let zone: String
    let locale: String?
    let dayEndsMinute: Int

    func profile(of member: Member) async throws(DiaryError) -> StoredProfile {
        StoredProfile(
            emailSealed: nil, emailVerified: false, nameSealed: nil, timeZone: zone, locale: locale, createdAt: Stub.now,
            preferences: Preferences(dayEndsMinute: dayEndsMinute))
    }

    func change(
        _ patch: StoredProfilePatch, matching versions: [Int64]?, keyID: UUID?, by member: Member
    ) async throws(DiaryError) -> ProfileChange<StoredProfile> { throw DiaryError.unavailable(cause: "08006") }

    func statistics(of member: Member, at now: Date) async throws(DiaryError) -> AccountStatistics {
        throw DiaryError.unavailable(cause: "08006")
    }

    func events(
        _ kind: AuditEvent.Kind?, before position: ListPosition?, limit: Int, of member: Member
    ) async throws(DiaryError) -> [AuditEvent] { [] }
}
