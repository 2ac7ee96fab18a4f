import Testing

@testable import DiaryCore

@Suite("An app's settings")
struct TenantConfigurationTests {
    private let rate = RatePolicy(name: "entries", shape: .rate(limit: 60, window: 60, burst: 60))
    private let quota = RatePolicy(name: "entries-day", shape: .quota(limit: 500, window: 86_400))
    private let other = RatePolicy(name: "login", shape: .rate(limit: 30, window: 60, burst: 30))

    @Test("every setting takes its limits and nothing beyond", arguments: TenantSetting.all)
    func ranges(_ setting: TenantSetting) throws {
        var configuration = TenantConfiguration()

        switch setting.form {
        case .whole(let range):
            for number in [range.lowerBound, range.upperBound] {
                try configuration.set(setting.name, to: String(number))
                #expect(configuration.whole(setting) == number)
            }
            for text in [String(range.lowerBound - 1), String(range.upperBound + 1), "", "x", "1.5", "99999999999999999999"] {
                #expect(throws: TenantSettingError.self) { try configuration.set(setting.name, to: text) }
            }
            #expect(configuration.whole(setting) == range.upperBound)
        case .choice(let choices):
            for choice in choices {
                try configuration.set(setting.name, to: choice)
                #expect(configuration.text(setting) == choice)
            }
            #expect(throws: TenantSettingError.self) { try configuration.set(setting.name, to: "perhaps") }
        }
    }

    @Test("what is written is read again; what this version does not know, or could not have written, is left out")
    func json() throws {
        var configuration = TenantConfiguration()
        try configuration.set("limits.entries_per_day", to: "7")
        try configuration.set("flags.new_player", to: "true")
        try configuration.set("flags.colour", to: "green")

        #expect(TenantConfiguration(json: configuration.json) == configuration)
        #expect(TenantConfiguration(json: #"{"limits.entries_per_day": 0, "unknown": 1, "cleanup": 3, "flags.BAD": true}"#).values.isEmpty)
        #expect(TenantConfiguration(json: "not json").values.isEmpty)
        #expect(TenantConfiguration(json: #"{"limits.entries_per_day": 1e99}"#).values.isEmpty)
    }

    @Test(
        "a value of an unknown type is left out, and no other with it",
        arguments: ["[1]", #"{"a": 1}"#, "null", "1.5", "1e99"])
    func types(_ value: String) {
        let read = TenantConfiguration(json: #"{"flags.a": \#(value), "cleanup": \#(value), "flags.b": "x", "limits.entries_per_day": 7}"#)

        #expect(read.values == ["flags.b": .text("x"), "limits.entries_per_day": .whole(7)])
    }

    @Test("limits that are set replace the named policies, times the factor; the others stay")
    func policies() throws {
        var configuration = TenantConfiguration()
        try configuration.set("limits.entries_per_minute", to: "5")
        try configuration.set("limits.entries_per_day", to: "9")

        #expect(
            configuration.policies([rate, quota, other], times: 10) == [
                RatePolicy(name: "entries", shape: .rate(limit: 50, window: 60, burst: 50)),
                RatePolicy(name: "entries-day", shape: .quota(limit: 90, window: 86_400)), other,
            ])
        #expect(TenantConfiguration().policies([rate, quota, other], times: 10) == [rate, quota, other])
    }

    @Test(
        "of a call that is not signed in a limit that is set is counted for its app alone, in the policy's own window; members' limits stay"
    )
    func unknownType() throws {
        let register = RatePolicy(name: "register", shape: .rate(limit: 10, window: 3600, burst: 10))
        let refresh = RatePolicy(name: "refresh", shape: .rate(limit: 60, window: 60, burst: 60))
        var configuration = TenantConfiguration()
        try configuration.set("limits.login_per_minute", to: "3")
        try configuration.set("limits.register_per_hour", to: "4")
        try configuration.set("limits.entries_per_minute", to: "5")

        #expect(
            configuration.policies([other, register, refresh, rate], beforeSignInTo: "toukan", times: 2) == [
                RatePolicy(name: "login/toukan", shape: .rate(limit: 6, window: 60, burst: 6)),
                RatePolicy(name: "register/toukan", shape: .rate(limit: 8, window: 3600, burst: 8)), refresh, rate,
            ])
        #expect(configuration.policies([other, register]) == [other, register])
        #expect(TenantConfiguration().policies([other], beforeSignInTo: "toukan") == [other])
    }

    @Test("an app's recordings are never longer than the service's own limit")
    func recordings() throws {
        var configuration = TenantConfiguration()
        #expect(configuration.maxAudioBytes(within: Limits()) == Limits().maxAudioBytes)

        try configuration.set("limits.audio_max_bytes", to: "1000")
        try configuration.set("limits.audio_max_seconds", to: "86400")

        #expect(configuration.maxAudioBytes(within: Limits()) == 1000)
        #expect(configuration.maxAudioSeconds(within: Limits()) == Limits().maxAudioSeconds)
    }

    @Test("a service hands out at most 64 flags of one app")
    func flags() throws {
        var configuration = TenantConfiguration()
        for number in 0..<64 { try configuration.set("flags.f\(number)", to: "1") }

        #expect(throws: TenantSettingError.self) { try configuration.set("flags.more", to: "1") }
        try configuration.set("flags.f0", to: "2")
        #expect(configuration.flags.count == 64)
    }
}
