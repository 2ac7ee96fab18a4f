import Testing

@testable import DiaryCore

@Suite("Settings of engines that operators give")
struct EngineSettingsTests {
    private static func hosted(_ url: String?, model: String? = "whisper-1", stage: EngineStage = .speech) -> EngineSettings {
        EngineSettings(name: "openai", stage: stage, kind: .openai, url: url, model: model)
    }

    @Test(
        "a base address is read with host and port; what could mean another host is refused",
        arguments: [
            ("https://api.openai.com/v1", "api.openai.com", nil, "https://api.openai.com/v1"),
            ("HTTPS://API.OpenAI.com/v1//", "api.openai.com", nil, "https://api.openai.com/v1"),
            ("http://127.0.0.1:8000/v1/", "127.0.0.1", 8000, "http://127.0.0.1:8000/v1"),
            ("http://[::1]:9000", "::1", 9000, "http://[::1]:9000"),
            ("https://x.openai.azure.com/openai/v1", "x.openai.azure.com", nil, nil),
        ] as [(String, String, Int?, String?)])
    func addresses(text: String, host: String, port: Int?, url: String?) throws {
        let address = try #require(EngineAddress(text))

        #expect(address.host == host && address.port == port && address.description == url ?? text)
        #expect(EngineAddress(address.description) == address)
    }

    @Test(
        "no other text is an address",
        arguments: [
            "", "api.openai.com", "ftp://a.example", "https://", "https:///v1", "https://a.example:0", "https://a.example:65536",
            "https://a.example:+1", "https://a.example:1:2", "https://user@a.example", "https://a.example@b.example",
            "https://a.example/v1?key=x",
            "https://a.example/#x", "https://a.example/../v1", "https://a.example//v1", "https://a.example/%2e", "https://a b.example",
            "https://a.example\n", "https://[::1", "https://[a.example]", "https://[::1]x", "https://.example", "https://-a.example",
            "https://ä.example",
            "https://a.example/" + String(repeating: "a", count: 2_000),
        ])
    func noAddresses(text: String) { #expect(EngineAddress(text) == nil) }

    @Test(
        "hosts of this machine and of private networks are told from others",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("10.1.2.3", true), ("192.168.0.1", true), ("172.16.0.1", true), ("172.31.0.1", true),
            ("169.254.169.254", true), ("100.64.0.1", true), ("[::1]", true), ("[fd00::1]", true), ("[fe80::1]", true), ("localhost", true),
            ("a.localhost", true), ("whisper", true), ("speech.internal", true), ("nas.local", true), ("2130706433", true),
            ("172.32.0.1", false),
            ("8.8.8.8", false), ("100.128.0.1", false), ("[2001:db8::1]", false), ("api.openai.com", false),
            ("localhost.example.org", false),
        ])
    func hosts(host: String, isPrivate: Bool) throws { #expect(try #require(EngineAddress("https://\(host)")).isPrivate == isPrivate) }

    @Test("private hosts need the permission; without TLS nothing goes to a public one, permitted or not")
    func transport() {
        #expect(Self.hosted("https://api.openai.com/v1").faults(allowsPrivateHosts: false).isEmpty)
        #expect(Self.hosted("http://127.0.0.1:8000").faults(allowsPrivateHosts: true).isEmpty)
        #expect(Self.hosted("http://127.0.0.1:8000").faults(allowsPrivateHosts: false).first?.contains("DIARY_ENGINES_PRIVATE=1") == true)
        #expect(Self.hosted("https://10.0.0.7").faults(allowsPrivateHosts: false).first?.contains("DIARY_ENGINES_PRIVATE=1") == true)
        for isAllowed in [false, true] {
            #expect(Self.hosted("http://api.openai.com/v1").faults(allowsPrivateHosts: isAllowed).first?.contains("must be https") == true)
        }
    }

    @Test("each kind takes its own options and names the option that is wrong")
    func kinds() {
        func fault(_ settings: EngineSettings) -> String? { settings.faults(allowsPrivateHosts: false).first }
        func command(_ words: [String], stage: EngineStage = .speech) -> EngineSettings {
            EngineSettings(name: "own", stage: stage, kind: .command, command: words)
        }

        #expect(fault(EngineSettings(name: "local", stage: .text, kind: .local)) == nil)
        #expect(fault(EngineSettings(name: "local", stage: .text, kind: .local, url: "https://a.example"))?.hasPrefix("--url") == true)
        #expect(fault(EngineSettings(name: "local", stage: .text, kind: .local, secret: "key"))?.hasPrefix("--secret") == true)
        #expect(fault(Self.hosted(nil))?.hasPrefix("--url is required") == true)
        #expect(fault(Self.hosted("https://a.example", model: nil))?.hasPrefix("--model is required") == true)
        #expect(fault(Self.hosted("https://a.example", model: "a\u{202E}b"))?.hasPrefix("--model must") == true)
        #expect(fault(command(["/usr/bin/whisper-cli", "-m", "/srv/model.bin"])) == nil)
        #expect(fault(command([]))?.hasPrefix("--command is required") == true)
        #expect(fault(command(["whisper-cli"]))?.contains("absolute path") == true)
        #expect(fault(command(["/bin/x", "a\nb"]))?.hasPrefix("--command") == true)
        #expect(fault(command(["/bin/x"], stage: .text))?.hasPrefix("--kind command is for speech") == true)
    }

    @Test("names, times, slots and prices have bounds")
    func bounds() {
        func faults(_ change: (inout EngineSettings) -> Void) -> [String] {
            var settings = Self.hosted("https://a.example", stage: .text)
            change(&settings)
            return settings.faults(allowsPrivateHosts: false)
        }

        #expect(faults { _ in }.isEmpty)
        for name in ["", "A", "1a", "-a", "a/b", "a b", "ä", String(repeating: "a", count: 41)] {
            #expect(faults { $0.name = name }.count == 1 && faults { $0.secret = name }.first?.hasPrefix("--secret") == true)
        }
        for seconds in [0, -1, 7_201] { #expect(faults { $0.timeoutSeconds = seconds }.first?.hasPrefix("--timeout") == true) }
        for slots in [0, 1_001] { #expect(faults { $0.slots = slots }.first?.hasPrefix("--slots") == true) }
        #expect(faults { $0.price.perMinute = 1 }.first?.hasPrefix("--price-per-minute") == true)
    }

    @Test("a program's time grows with the recording, a server's does not")
    func timeLimits() {
        let program = EngineSettings(name: "w", stage: .speech, kind: .command, command: ["/bin/x"], timeoutSeconds: 600)

        #expect(program.timeLimit(audioSeconds: 0) == 600 && program.timeLimit(audioSeconds: 4 * 3_600) == 600 + 8 * 3_600)
        for seconds in [-1.0, Double.nan, .infinity] { #expect(program.timeLimit(audioSeconds: seconds) == 600) }
        #expect(Self.hosted("https://a.example", stage: .speech).timeLimit(audioSeconds: 4 * 3_600) == 600)
    }

    @Test(
        "prices are read exactly, in millionths",
        arguments: [
            ("0", 0), ("0.006", 6_000), ("12", 12_000_000), ("0.000001", 1), ("1000000", 1_000_000_000_000), ("2.50", 2_500_000), ("", nil),
            (".5", nil), ("1.", nil), ("-1", nil), ("1e3", nil), ("0.0000001", nil), ("1000000.000001", nil), ("0,006", nil),
            ("12345678", nil),
        ] as [(String, Int64?)])
    func prices(text: String, millionths: Int64?) {
        #expect(EnginePrice.millionths(text) == millionths)
        if let millionths { #expect(EnginePrice.millionths(EnginePrice.text(millionths)) == millionths) }
    }
}
