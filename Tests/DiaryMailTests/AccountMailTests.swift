import DiaryCore
import DiaryMail
import Foundation
import Testing

@Suite("Mails about an account")
struct AccountMailTests {
    static let coded: [MailKind] = [.signInCode, .resetCode, .addressCode, .reauthenticationCode]
    static let news: [MailKind] = [.sessionReused, .passwordChanged, .addressChanged, .identityLinked, .identityUnlinked]

    @Test("E8, B16: each says what it is for, escapes every value and has no link", arguments: coded + news)
    func words(kind: MailKind) throws {
        let hostile = "<img src=x>\"'&"
        let mail = try #require(AccountMail(kind, code: hostile, appName: hostile, minutes: 30))
        let plain = try #require(AccountMail(kind, code: "20481634", appName: "My Day", minutes: 30))

        #expect(!mail.html.contains("<img") && !mail.html.contains("href") && !plain.text.contains("http"))
        #expect(!plain.subject.contains("20481634"), "the code stays out of lock screens")
        #expect(plain.text.contains("20481634") == Self.coded.contains(kind))
        #expect(plain.text.contains("30 minutes") == Self.coded.contains(kind))
    }

    @Test("a code's mail without its code is none, nor is any other kind")
    func none() {
        for kind in Self.coded { #expect(AccountMail(kind, code: nil, appName: "A", minutes: 1) == nil) }
        for kind in [MailKind.verificationCode, .exportReady, .addressAlreadyRegistered] {
            #expect(AccountMail(kind, code: "1", appName: "A", minutes: 1) == nil)
        }
    }
}
