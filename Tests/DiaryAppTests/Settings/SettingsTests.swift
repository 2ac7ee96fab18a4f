import DiaryCore
import DiaryCrypto
import DiaryHTTP
import FoundationEssentials
import HTTPListener
import Logging
import Testing

@testable import DiaryApp

@Suite("Settings")
struct SettingsTests {
    @Test("with only the required settings every other one has its default")
    func defaults() throws {
        let settings = try Settings(.service())
        let worker = try WorkerSettings(.service())

        guard case .tcp(host: "127.0.0.1", port: 8080) = settings.listen else { throw SettingsError("DIARY_LISTEN", "has another default") }
        #expect(settings.listener.connections == 2000 && settings.listener.connectionsPerAddress == 2000)
        #expect(settings.placeHeader == nil && worker.media.scripts == nil && settings.keys.signingKey == nil)
        #expect(settings.database.poolSize == 8 && worker.speechSlots == 6 && settings.rateFactor == 1)
        #expect(settings.issuer == "https://diary.example.org" && worker.mail.description == "/srv/mail")
        #expect(settings.keys.accessTokenSeconds == 900 && settings.keys.publishSeconds == 900)
        #expect(settings.limits == Limits() && settings.passwordCost == .full)
        #expect(settings.identityProviders.appleKey == nil)
        #expect(worker.media.speech == .local && worker.media.sandbox == .preferred && settings.logLevel == .info)
    }

    @Test("a missing required setting is named", arguments: Environment.needed.keys.sorted())
    func needed(_ name: String) {
        #expect(throws: SettingsError(name, "is required")) { try Settings(.service([name: nil]), for: .worker) }
        #expect(throws: SettingsError(name, "is required")) { try Settings(.service([name: ""]), for: .worker) }
    }

    @Test("what only workers read is not asked of the API", arguments: WorkerSettings.names.sorted())
    func roles(_ name: String) throws {
        _ = try Settings(.service([name: nil]), for: .api)
        _ = try Settings(.service([name: "hunter2 (no good)"]), for: .api)
    }

    @Test("everything that is missing or wrong is named at once, each setting once")
    func allAtOnce() throws {
        let environment = Environment.service([
            "DIARY_REDIS_URL": nil, "DIARY_TEMPORARY": nil, "DIARY_MAIL_OUTBOX": nil, "DIARY_SPEECH": "hunter2", "DIARY_LEASE_SECONDS": "2",
            "DIARY_HEARTBEAT_SECONDS": "1.5", "DIARY_APPLE_KEY_ID": "ABCDE67890",
        ])

        let error = try #require(throws: SettingsError.self) { try Settings(environment, for: .worker) }

        let names = ([error] + error.others).map(\.name)
        #expect(
            names.sorted() == [
                "DIARY_APPLE_KEY", "DIARY_HEARTBEAT_SECONDS", "DIARY_MAIL_OUTBOX", "DIARY_REDIS_URL", "DIARY_SPEECH", "DIARY_TEMPORARY",
            ])
        #expect(error.description.split(separator: "\n").count == names.count && !error.description.contains("hunter2"))
        #expect(throws: error) { try WorkerSettings(environment) }
        let ofAPI = try #require(throws: SettingsError.self) { try Settings(environment, for: .api) }
        #expect(
            ([ofAPI] + ofAPI.others).map(\.name).sorted() == [
                "DIARY_APPLE_KEY", "DIARY_HEARTBEAT_SECONDS", "DIARY_REDIS_URL", "DIARY_SPEECH",
            ])
    }

    @Test(
        "a bad setting is named without its value",
        arguments: [
            "DIARY_LISTEN", "DIARY_PUBLIC_URL", "DIARY_TRUSTED_PROXIES", "DIARY_PLACE_HEADER", "DIARY_CONNECTIONS",
            "DIARY_CONNECTIONS_PER_ADDRESS", "DIARY_REDIS_URL", "DIARY_SMTP_URL", "DIARY_MASTER_KEYS", "DIARY_SERVICE_SECRET",
            "DIARY_SIGNING_KEY", "DIARY_APPLE_ISSUER", "DIARY_GOOGLE_ISSUER", "DIARY_MAX_AUDIO_BYTES", "DIARY_LEASE_SECONDS",
            "DIARY_SPEECH", "DIARY_SANDBOX", "DIARY_LOG_LEVEL",
        ])
    func bad(_ name: String) throws {
        let error = try #require(throws: SettingsError.self) { try Settings(.service([name: "hunter2 (no good)"]), for: .worker) }

        #expect(error.description.hasPrefix("setting \(name): ") && !String(reflecting: error).contains("hunter2"))
    }

    @Test("a server needs its address and model, TLS unless it is private and permitted, and its key is a secret that no fault repeats")
    func servers() throws {
        let good: [String: String?] = [
            "DIARY_SPEECH": "openai", "DIARY_SPEECH_URL": "https://api.openai.com/v1", "DIARY_SPEECH_MODEL": "whisper-1",
            "DIARY_SPEECH_KEY": "sk-1",
        ]
        func fault(_ changes: [String: String?]) -> String? {
            do {
                _ = try WorkerSettings(.service(good.merging(changes) { $1 }))
                return nil
            } catch { return "\(error)" }
        }

        #expect(fault([:]) == nil && fault(["DIARY_SPEECH_KEY": nil]) == nil)
        #expect(fault(["DIARY_SPEECH_URL": nil])?.contains("DIARY_SPEECH_URL: is required with DIARY_SPEECH=openai") == true)
        #expect(fault(["DIARY_SPEECH_MODEL": nil])?.contains("DIARY_SPEECH_MODEL: is required") == true)
        #expect(fault(["DIARY_SPEECH_URL": "http://api.openai.com/v1"])?.contains("must be https") == true)
        #expect(fault(["DIARY_SPEECH_URL": "http://localhost:8000/v1"])?.contains("DIARY_ENGINES_PRIVATE=1") == true)
        #expect(fault(["DIARY_SPEECH_URL": "http://localhost:8000/v1", "DIARY_ENGINES_PRIVATE": "1"]) == nil)
        #expect(fault(["DIARY_SPEECH_KEY": "hunter2 no"])?.contains("DIARY_SPEECH_KEY") == true)
        #expect(fault(["DIARY_SPEECH_KEY": "hunter2 no"])?.contains("hunter2") == false)
        // Without the choice they are not asked for, and the API does not need them.
        #expect(fault(["DIARY_SPEECH": nil, "DIARY_SPEECH_URL": nil]) == nil)
        let api = try Settings(.service(["DIARY_SPEECH": "openai", "DIARY_CLEANUP": "openai"]), for: .api)
        #expect(api.engines == EngineOffer(speech: [.init(name: "openai", kind: .openai)], text: [.init(name: "openai", kind: .openai)]))
        #expect(api.engines.languages(local: api.localLanguages) == .all)
        let plain = try Settings(.service(), for: .api)
        #expect(plain.engines.languages(local: plain.localLanguages) == .all)
    }

    @Test("every whole number accepts its limits and nothing beyond", arguments: SettingsCatalogue.settings(of: Int.self).map(\.name))
    func wholeNumbers(_ name: String) throws {
        let setting = try #require(SettingsCatalogue.settings(of: Int.self).first { $0.name == name })
        let bounds = setting.declaration.form.filter { $0 != "," }.split(separator: " ").compactMap { Int($0) }
        try #require(bounds.count == 2)

        #expect(try bounds.map { try setting.value(String($0)) } == bounds)
        for text in [String(bounds[0] - 1), String(bounds[1] + 1), "x", "1.5", " 1", "99999999999999999999"] {
            #expect(throws: SettingsError(name, "must be a whole number from \(bounds[0]) to \(bounds[1])")) { try setting.value(text) }
        }
    }

    @Test(
        "every number of seconds accepts its limits and nothing beyond", arguments: SettingsCatalogue.settings(of: Double.self).map(\.name))
    func seconds(_ name: String) throws {
        let setting = try #require(SettingsCatalogue.settings(of: Double.self).first { $0.name == name })
        let bounds = setting.declaration.form.filter { $0 != "," }.split(separator: " ").compactMap { Double($0) }
        try #require(bounds.count == 2)

        #expect(try bounds.map { try setting.value(String($0)) } == bounds)
        for text in [String(bounds[0] - 0.01), String(bounds[1] + 1), "x", "nan", "inf"] {
            #expect(throws: SettingsError(name, "must be a number from \(bounds[0]) to \(bounds[1])")) { try setting.value(text) }
        }
    }

    @Test("a choice names its values; one that only debug builds take is read and not documented")
    func choices() throws {
        enum Engine: String, CaseIterable { case local, hosted, scripted }
        let all = Setting.choice("DIARY_ENGINE", default: Engine.local, "")
        let released = Setting.choice("DIARY_ENGINE", default: Engine.local, documented: [.local], "")

        #expect(all.declaration.form == "`local`, `hosted` or `scripted`" && released.declaration.form == "`local`")
        #expect(try released.value("scripted") == .scripted && released.value(nil) == .local)
        #expect(throws: SettingsError("DIARY_ENGINE", "must be one of local, hosted, scripted")) { try released.value("Local") }
    }

    @Test("a heartbeat comes at least twice in a lease")
    func heartbeat() throws {
        let names = ("DIARY_LEASE_SECONDS", "DIARY_HEARTBEAT_SECONDS")

        #expect(try Settings(.service([names.0: "2", names.1: "1"])).limits.heartbeatSeconds == 1)
        #expect(throws: SettingsError(names.1, "must be at most half of DIARY_LEASE_SECONDS")) {
            try Settings(.service([names.0: "2", names.1: "1.1"]))
        }
    }

    @Test("connections of one address are as many as all, unless they are set")
    func connections() throws {
        #expect(try Settings(.service(["DIARY_CONNECTIONS": "50"])).listener.connectionsPerAddress == 50)
        #expect(
            try Settings(.service(["DIARY_CONNECTIONS": "50", "DIARY_CONNECTIONS_PER_ADDRESS": "9"])).listener.connectionsPerAddress == 9)
    }

    @Test("on a Unix socket all clients count as one, unless unix is a trusted proxy", arguments: ["", "127.0.0.1, ::1"])
    func clientsOfUnixSocket(others: String) throws {
        let without = try Settings(.service(["DIARY_TRUSTED_PROXIES": others]))
        let with = try Settings(.service(["DIARY_TRUSTED_PROXIES": others.isEmpty ? "unix" : others + ", unix"]))

        #expect(without.countsClientsAsOne(boundTo: nil) && !with.countsClientsAsOne(boundTo: nil))
        #expect(!without.countsClientsAsOne(boundTo: 8080) && !with.countsClientsAsOne(boundTo: 8080))
    }

    @Test("the first master key is the current one; a key that is short or named twice is refused")
    func masterKeys() throws {
        let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let settings = try Settings(.service(["DIARY_MASTER_KEYS": "m2:\(key), m1:\(key)"]))

        #expect(settings.keys.masters.currentID == "m2")
        for text in ["m1", "m1:AAEC", "m1:\(key),m1:\(key)", ":"] {
            #expect(throws: SettingsError("DIARY_MASTER_KEYS", "must be id:base64[,id:base64 …] with keys of at least 32 bytes")) {
                try Settings(.service(["DIARY_MASTER_KEYS": text]))
            }
        }
    }

    @Test("the key for Apple is set with its team and its id, or not at all")
    func appleKey() {
        #expect(throws: SettingsError("DIARY_APPLE_KEY", "needs DIARY_APPLE_TEAM_ID and DIARY_APPLE_KEY_ID beside it")) {
            try Settings(.service(["DIARY_APPLE_TEAM_ID": "ABCDE12345"]))
        }
        let three = ["DIARY_APPLE_TEAM_ID": "ABCDE12345", "DIARY_APPLE_KEY_ID": "short", "DIARY_APPLE_KEY": "no key"]
        #expect(throws: SettingsError("DIARY_APPLE_KEY_ID", "must be 10 letters and digits")) { try Settings(.service(three)) }
        #expect(throws: SettingsError("DIARY_APPLE_KEY", "must be a P-256 private key (PKCS#8, PEM), as Apple gives it (.p8)")) {
            try Settings(.service(three.merging(["DIARY_APPLE_KEY_ID": "ABCDE67890"]) { _, new in new }))
        }
    }

    @Test("a provider's stand-in has TLS, or is on this machine")
    func issuers() throws {
        for url in ["http://127.0.0.1:9000", "http://localhost:9000", "http://[::1]:9000", "https://fake.example.org"] {
            _ = try Settings(.service(["DIARY_APPLE_ISSUER": url, "DIARY_GOOGLE_ISSUER": url]))
        }
        #expect(throws: SettingsError("DIARY_GOOGLE_ISSUER", "must be https unless the host is this machine")) {
            try Settings(.service(["DIARY_GOOGLE_ISSUER": "http://fake.example.org"]))
        }
    }
}

extension SettingsCatalogue {
    static func settings<Value: Sendable>(of type: Value.Type) -> [Setting<Value>] {
        groups.flatMap(\.settings).compactMap { $0 as? Setting<Value> }
    }
}
