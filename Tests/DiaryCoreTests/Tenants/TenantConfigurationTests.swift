import DiaryCrypto
import DiaryTesting
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
        case .name(let most):
            for text in ["x", String(repeating: "Z", count: most), "eu-west-1", "a_9"] {
                try configuration.set(setting.name, to: text)
                #expect(configuration.text(setting) == text)
                #expect(TenantConfiguration(json: configuration.json) == configuration)
            }
            for text in ["", " ", "a b", "a.b", "a/b", "é", "a\n", String(repeating: "x", count: most + 1)] {
                #expect(throws: TenantSettingError.self) { try configuration.set(setting.name, to: text) }
            }
        case .pattern(let pattern):
            let (good, bad): ([String], [String]) =
                switch pattern {
                case .color: (["#000000", "#aBcDeF"], ["", "#fff", "red", "#gggggg", "#0000000", "#00000;"])
                case .link:
                    (
                        ["https://a.example", "https://a.example/b?c=d#e"],
                        ["", "http://a.example", "https://", "https://a/\"", "https://a b"]
                    )
                case .contact:
                    (
                        ["https://a.example/help", "mailto:help@a.example"],
                        ["", "help@a.example", "mailto:", "mailto:a@b.example?subject=x", "http://a.example", "mailto:a b@c.example"]
                    )
                case .locale: (["de", "de-AT", "gsw"], ["", "d", "deutsch", "1", "de at"])
                case .p256Key: ([try P256PrivateKey.generate().publicKey.base64], ["", "AAAA", "x y"])
                }
            for text in good {
                try configuration.set(setting.name, to: text)
                #expect(configuration.text(setting) == text)
                #expect(TenantConfiguration(json: configuration.json) == configuration)
            }
            for text in bad {
                #expect(throws: TenantSettingError.self, "\(text)") { try configuration.set(setting.name, to: text) }
            }
        case .line(let most):
            for text in ["x", String(repeating: "é", count: most)] {
                try configuration.set(setting.name, to: text)
                #expect(configuration.text(setting) == text)
                #expect(TenantConfiguration(json: configuration.json) == configuration)
            }
            for text in ["", " ", "a\nb", "a\u{202E}b", String(repeating: "x", count: most + 1)] {
                #expect(throws: TenantSettingError.self) { try configuration.set(setting.name, to: text) }
            }
        case .list(.word(let words)):
            for list in [Array(words.prefix(1)), words] {
                try configuration.set(setting.name, to: list.joined(separator: ", "))
                #expect(configuration.list(setting) == list)
                #expect(TenantConfiguration(json: configuration.json) == configuration)
            }
            for text in ["", "nothing", words.joined(separator: ";"), (words + words.prefix(1)).joined(separator: ",")] {
                #expect(throws: TenantSettingError.self, "\(text)") { try configuration.set(setting.name, to: text) }
            }
        case .list(let item):
            let form: (Int) -> String = { number in
                switch item {
                case .host: "h\(number).example.org"
                case .topic: "arn:aws:sns:eu-central-1:123456789012:t\(number)"
                case .origin, .word: "https://h\(number).example.org"
                }
            }
            let longest = (1...TenantSetting.Item.most).map(form)
            for list in [[form(0)], longest] {
                try configuration.set(setting.name, to: list.joined(separator: ", "))
                #expect(configuration.list(setting) == list)
                #expect(TenantConfiguration(json: configuration.json) == configuration)
            }
            for list in [longest + [form(0)], [form(0), form(0)], [form(0), ""], [""], ["*"], ["a b!"]] {
                #expect(throws: TenantSettingError.self, "\(list)") { try configuration.set(setting.name, to: list.joined(separator: ",")) }
            }
            #expect(configuration.list(setting) == longest)
        }
    }

    @Test("an app's words for language models and what it wants besides the cleaned text are asked of them")
    func textRequest() throws {
        var configuration = TenantConfiguration()
        #expect(configuration.textRequest == TextRequest())

        try configuration.set("cleanup.extras", to: "title,suggestions")
        try configuration.set("cleanup.prompt", to: "Tidy this up.")

        #expect(configuration.textRequest == TextRequest(extras: [.title, .suggestions], prompt: "Tidy this up."))
    }

    @Test(
        "an origin is a scheme, a host and a port as browsers send them, and without TLS only on this machine",
        arguments: [
            ("https://app.example.org", "https://app.example.org"), ("HTTPS://App.Example.org:443", "https://app.example.org"),
            ("https://app.example.org:8443", "https://app.example.org:8443"), ("https://192.0.2.7", "https://192.0.2.7"),
            ("http://localhost:5173", "http://localhost:5173"), ("http://localhost:80", "http://localhost"),
            ("http://my.localhost", "http://my.localhost"), ("http://127.0.0.1:1", "http://127.0.0.1:1"),
            ("http://[::1]:3000", "http://[::1]:3000"), ("http://[::1]", "http://[::1]"),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("http://app.example.org", nil), ("http://localhost.example.org", nil), ("https://app.example.org/", nil),
            ("https://app.example.org/path", nil), ("https://*.example.org", nil), ("https://*", nil), ("*", nil), ("null", nil), ("", nil),
            ("app.example.org", nil), ("https://", nil), ("https://:443", nil), ("https://app.example.org:", nil),
            ("https://app.example.org:0", nil), ("https://app.example.org:65536", nil), ("https://app.example.org:08", nil),
            ("https://app.example.org:+8", nil), ("https://me@app.example.org", nil), ("https://app.example.org.", nil),
            ("https://app..example.org", nil), ("https://-app.example.org", nil), ("https://b\u{fc}cher.example", nil),
            ("ftp://app.example.org", nil), ("https://app.example.org?x", nil), ("https://app.example.org#x", nil), ("file://", nil),
        ])
    func origins(_ text: String, _ origin: String?) { #expect(WebOrigin(text)?.text == origin) }

    @Test(
        "a host is compared without port, case and last dot",
        arguments: [
            ("Diary.Example.org:8443", "diary.example.org"), ("diary.example.org.", "diary.example.org"), ("localhost", "localhost"),
            ("192.0.2.7:80", "192.0.2.7"), ("[::1]:80", nil), ("", nil), (".", nil), (":80", nil), ("a b", nil), ("a/b", nil),
            ("*.example.org", nil),
            (String(repeating: "a", count: 64) + ".org", nil), (String(repeating: "a.", count: 128), nil),
        ])
    func hosts(_ authority: String, _ host: String?) { #expect(HostName(authority: authority)?.text == host) }

    @Test("an app is found by its name, else by the host, else it is the default, else the only one")
    func reference() throws {
        func app(_ slug: String, hosts: String? = nil, isDefault: Bool = false) throws -> Tenant {
            var tenant = Stub.tenant(slug)
            if let hosts { try tenant.configuration.set("hosts", to: hosts) }
            tenant.isDefault = isDefault
            return tenant
        }
        func found(_ slug: String?, _ authority: String? = nil, in apps: [Tenant]) -> String? {
            apps.app(AppReference(slug: slug, authority: authority))?.slug
        }
        let bound = [try app("one", hosts: "one.example,1.example"), try app("two", hosts: "two.example")]
        let marked = bound + [try app("three", isDefault: true)]
        let twice = bound + [try app("three", hosts: "two.example")]

        #expect(found("two", "one.example", in: marked) == "two" && found("four", "one.example", in: marked) == nil)
        #expect(found(nil, "ONE.example:8443", in: bound) == "one" && found(nil, "two.example", in: marked) == "two")
        #expect(found(nil, "other.example", in: marked) == "three" && found(nil, in: marked) == "three")
        #expect(found(nil, "other.example", in: bound) == nil && found(nil, in: bound) == nil)
        #expect(found(nil, "two.example", in: twice) == nil)
        #expect(found(nil, "other.example", in: Array(bound.prefix(1))) == "one" && found(nil, in: []) == nil)
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
        var wider = Limits()
        wider.maxAudioSeconds = 90_000
        #expect(configuration.maxAudioSeconds(within: wider) == 86_400)
        #expect(configuration.takesRecordings)
        try configuration.set("limits.audio_max_bytes", to: "0")
        #expect(configuration.maxAudioBytes(within: Limits()) == 0 && !configuration.takesRecordings)
    }

    @Test("language models are asked for nothing where no text is cleaned")
    func extras() throws {
        var configuration = TenantConfiguration()
        try configuration.set("cleanup.extras", to: "suggestions,title")
        #expect(configuration.textExtras == [.title, .suggestions])

        try configuration.set("cleanup", to: "off")

        #expect(configuration.textExtras.isEmpty)
    }

    @Test("an app's entries wait for their recordings as long as it has set, from an hour to a year, or seven days")
    func window() throws {
        var configuration = TenantConfiguration()
        #expect(configuration.uploadWindowSeconds(within: Limits()) == 604_800)

        try configuration.set("limits.upload_window_seconds", to: "3600")

        #expect(configuration.uploadWindowSeconds(within: Limits()) == 3_600)
        var limits = Limits()
        limits.uploadURLSeconds = 86_400
        #expect(configuration.uploadWindowSeconds(within: limits) == 172_800, "a URL would outlive its entry")
        #expect(throws: TenantSettingError.self) { try configuration.set("limits.upload_window_seconds", to: "3599") }

        #expect(configuration.uploadURLSeconds(within: Limits()) == 900)
        try configuration.set("limits.upload_url_seconds", to: "43200")
        #expect(configuration.uploadURLSeconds(within: Limits()) == 43_200)
        #expect(configuration.uploadWindowSeconds(within: Limits()) == 86_400, "a URL would outlive its entry")
        #expect(throws: TenantSettingError.self) { try configuration.set("limits.upload_url_seconds", to: "86401") }
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

extension P256PublicKey {
    fileprivate var base64: String { pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined() }
}
