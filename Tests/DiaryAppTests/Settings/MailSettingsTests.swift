import Testing

@testable import DiaryApp

@Suite("Settings of mail")
struct MailSettingsTests {
    private static func mail(_ changes: [String: String?]) throws -> MailSettings { try MailSettings(.service(changes)) }

    @Test("the mail server wins over the folder, at the port of its scheme unless one is named")
    func servers() throws {
        for (url, place) in [
            ("smtps://mail.example.org", "mail.example.org:465"), ("smtp://mail.example.org", "mail.example.org:587"),
            ("smtp+plain://127.0.0.1", "127.0.0.1:25"), ("smtp://mail.example.org:2525/", "mail.example.org:2525"),
            ("smtp://[::1]", "::1:587"),
        ] {
            #expect(try Self.mail(["DIARY_SMTP_URL": url]).description == place)
        }
    }

    @Test(
        "an address of another form is refused",
        arguments: [
            "mail.example.org", "http://mail.example.org", "smtp://", "smtp://mail.example.org/path", "smtp://mail.example.org?x=1",
            "smtp://anna:hunter2@mail.example.org",
        ])
    func forms(url: String) {
        let reason = "must be smtps://host[:port], smtp://host[:port] (with STARTTLS) or smtp+plain://host[:port]"

        #expect(throws: SettingsError("DIARY_SMTP_URL", reason)) { try Self.mail(["DIARY_SMTP_URL": url]) }
    }

    @Test("a user has a password, and neither is sent without TLS")
    func login() throws {
        let url = "DIARY_SMTP_URL"
        let user = ["DIARY_SMTP_USER": "diary"]
        let both: [String: String?] = ["DIARY_SMTP_USER": "diary", "DIARY_SMTP_PASSWORD": "hunter2"]

        _ = try Self.mail(both.merging([url: "smtp://mail.example.org"]) { $1 })
        #expect(throws: SettingsError("DIARY_SMTP_PASSWORD", "is required")) {
            try Self.mail(user.merging([url: "smtp://mail.example.org"]) { $1 })
        }
        #expect(throws: SettingsError("DIARY_SMTP_USER", "is never sent without TLS")) {
            try Self.mail(both.merging([url: "smtp+plain://127.0.0.1"]) { $1 })
        }
        #expect(throws: SettingsError("DIARY_SMTP_PASSWORD", "must be 1 to 512 bytes without control characters")) {
            try Self.mail(["DIARY_SMTP_USER": "diary", "DIARY_SMTP_PASSWORD": "a\u{7}b", url: "smtp://mail.example.org"])
        }
    }

    private static let sendGrid: [String: String?] = ["DIARY_MAIL_PROVIDER": "sendgrid", "DIARY_SENDGRID_KEY": "SG.key"]
    private static let ses: [String: String?] = [
        "DIARY_MAIL_PROVIDER": "ses", "DIARY_SES_REGION": "eu-central-1", "DIARY_SES_ACCESS_KEY": "AKIA", "DIARY_SES_SECRET_KEY": "secret",
    ]

    @Test("the provider wins over the mail server; its key alone chooses nothing")
    func providers() throws {
        let server: [String: String?] = ["DIARY_SMTP_URL": "smtp://mail.example.org"]

        #expect(try Self.mail(Self.sendGrid.merging(server) { $1 }).description == "SendGrid")
        #expect(try Self.mail(Self.ses.merging(server) { $1 }).description == "SES")
        #expect(try Self.mail(server.merging(["DIARY_SENDGRID_KEY": "SG.key"]) { $1 }).description == "mail.example.org:587")
    }

    @Test("a provider is not half set")
    func halves() throws {
        for (settings, name) in [(Self.sendGrid, "DIARY_SENDGRID_KEY")]
            + ["DIARY_SES_REGION", "DIARY_SES_ACCESS_KEY", "DIARY_SES_SECRET_KEY"].map({ (Self.ses, $0) })
        {
            let provider = settings["DIARY_MAIL_PROVIDER"]?.flatMap { $0 } ?? ""
            #expect(throws: SettingsError(name, "is required with DIARY_MAIL_PROVIDER=\(provider)")) {
                try Self.mail(settings.filter { $0.key != name })
            }
        }
        #expect(throws: SettingsError.self) { try Self.mail(["DIARY_MAIL_PROVIDER": "mailgun"]) }
        #expect(throws: SettingsError.self) { try MailProviderSettings(.service(["DIARY_SES_URL": "https://example.org/path"])) }
    }
}
