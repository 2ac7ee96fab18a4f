import DiaryCore
import Testing

@testable import DiaryApp

@Suite("The warning of an app whose mail cannot leave")
struct MailSecretNoteTests {
    private func note(_ settings: [String: String], secrets: Set<String> = []) throws -> String? {
        var configuration = TenantConfiguration()
        for (name, value) in settings { try configuration.set(name, to: value) }
        return TenantCommand.mailSecretNote(configuration, of: "my-day", secrets: secrets)
    }

    @Test("a provider without mail.secret, and a secret that is not set, are named with the command that mends it")
    func missing() throws {
        let bare = try #require(try note(["mail.provider": "sendgrid"], secrets: ["other"]))
        #expect(bare.hasPrefix("mail.secret is not set") && bare.contains("waits") && bare.hasSuffix("mail.secret=NAME"))

        let unknown = try #require(try note(["mail.provider": "ses", "mail.secret": "ses-key"], secrets: ["other"]))
        #expect(unknown.hasPrefix("the secret ses-key is not set") && unknown.contains("waits"))
        #expect(unknown.hasSuffix("diary tenant secret set my-day ses-key"))
    }

    @Test("without a provider a missing secret keeps no mail waiting")
    func withoutProvider() throws {
        let text = try #require(try note(["mail.secret": "later"]))
        #expect(text.hasPrefix("the secret later is not set") && !text.contains("waits"))
    }

    @Test("nothing is said where nothing is missing")
    func complete() throws {
        #expect(try note(["mail.provider": "ses", "mail.secret": "ses-key"], secrets: ["ses-key"]) == nil)
        #expect(try note(["mail.region": "eu"]) == nil)
    }
}
