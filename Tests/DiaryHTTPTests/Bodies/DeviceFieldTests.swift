import DiaryCore
import Testing
import WireFormats

@testable import DiaryHTTP

@Suite("What devices say of their zone and language") struct DeviceFieldTests {
    @Test(
        "with a sign-up or a new entry a zone that nobody knows is as none, and nothing is refused for it",
        arguments: [
            ("Europe/Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"), (" Europe/Berlin ", "Europe/Berlin"), ("Z", "UTC"),
            ("GMT+05:30", "Asia/Kolkata"), ("GMT+0530", "Asia/Kolkata"), ("UTC+5", "Etc/GMT-5"), ("-08:00", "Etc/GMT+8"),
            ("Etc/GMT+5", "Etc/GMT+5"),
            ("Etc/Unknown", nil), ("Europe//Berlin", nil), ("../etc", nil), ("localtime", nil), ("Factory", nil), ("IST", nil),
            ("posix/Europe/Berlin", nil), ("+05:17", nil), ("UTC+25", nil), ("CET-1CEST", nil), ("", nil), (" ", nil),
        ] as [(String, String?)])
    func zones(text: String, zone: String?) {
        var fields = Fields(.object(["time_zone": .string(text)]))

        #expect(fields.deviceZone("time_zone") == zone)
        #expect(fields.errors.isEmpty)
    }

    @Test(
        "a zone that is set by itself is refused when it is none",
        arguments: [
            ("Europe/Berlin", "Europe/Berlin"), ("GMT+0530", "Asia/Kolkata"), ("UTC+5", "Etc/GMT-5"), ("Etc/GMT+5", "Etc/GMT+5"),
            ("Europe//Berlin", nil), ("../etc", nil), ("localtime", nil), ("IST", nil), ("posix/Europe/Berlin", nil), ("UTC+25", nil),
            ("CET-1CEST", nil), ("", nil),
        ] as [(String, String?)])
    func setZones(text: String, zone: String?) {
        var fields = Fields(.object(["time_zone": .string(text)]))

        #expect(fields.timeZone("time_zone") == zone)
        #expect(fields.errors.map(\.pointer) == (zone == nil ? ["/time_zone"] : []))
    }

    @Test(
        "with a sign-up what is no language tag is as none; set by itself it is refused",
        arguments: [
            ("de-CH", "de-CH", true), ("zh-Hant-TW", "zh-Hant-TW", true), ("zh_CN", "zh-CN", true), ("de-DE-u-fw-mon", "de-DE", true),
            ("de_DE.UTF-8", "de-DE", true), ("und", nil, true), ("C", nil, true), ("", nil, true),
            ("e", nil, false), ("english language", nil, false), ("deutsch", nil, false), ("de-", nil, false), ("dé", nil, false),
        ] as [(String, String?, Bool)])
    func languages(text: String, tag: String?, isAccepted: Bool) {
        var device = Fields(.object(["locale": .string(text)]))
        var own = Fields(.object(["locale": .string(text)]))

        #expect(device.deviceLanguage("locale") == tag)
        #expect(device.errors.isEmpty)
        #expect(own.languageTag("locale") == tag)
        #expect(own.errors.map(\.pointer) == (isAccepted ? [] : ["/locale"]))
    }

    @Test(
        "another type, or a text that is too long, is refused all the same",
        arguments: [JSONValue.number("7"), .bool(true), .array([.string("de")]), .string(String(repeating: "a", count: 201))])
    func refused(value: JSONValue) {
        var fields = Fields(.object(["time_zone": value, "locale": value]))
        let zone = fields.deviceZone("time_zone")
        let locale = fields.deviceLanguage("locale")

        #expect(zone == nil && locale == nil)
        #expect(fields.errors.map(\.pointer) == ["/time_zone", "/locale"])
    }

    @Test("both ways of signing up take them for none")
    func signUps() throws {
        let device: [(String, String)] = [("time_zone", "Etc/Unknown"), ("locale", "e")]
        let byMail = [("email", "anna@example.org"), ("password", "seven quiet lighthouses")] + device
        let byProvider = [("id_token", "t"), ("nonce", "n")] + device

        var fields = try Self.fields(byMail)
        let registration = RegistrationFields.read(&fields, passwordCheck: { _, _ in nil })
        try fields.finish()
        var others = try Self.fields(byProvider)
        let signIn = ProviderFields.signIn(&others, by: .google)
        try others.finish()

        #expect(registration?.email.text == "anna@example.org" && registration?.timeZone == nil && registration?.locale == nil)
        #expect(signIn.answer.idToken == "t" && signIn.timeZone == nil && signIn.locale == nil)
    }

    private static func fields(_ members: [(String, String)]) throws -> Fields {
        let text = "{" + members.map { name, value in "\"\(name)\":\"\(value)\"" }.joined(separator: ",") + "}"
        return Fields(try JSONParser.parse(Array(text.utf8)))
    }
}
