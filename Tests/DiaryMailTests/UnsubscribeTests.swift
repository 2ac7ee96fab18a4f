import DiaryCore
import Foundation
import Testing
import WireFormats

@testable import DiaryMail

@Suite("RFC 8058: mails that one click ends")
struct UnsubscribeTests {
    static let link = "https://diary.example/unsubscribe/AAEC-_x.y~z"

    @Test("both fields are in the message, in SendGrid's headers and in what SES gets; without a link neither is")
    func fields() throws {
        func texts(_ unsubscribe: String?) throws -> [String] {
            let message = try MailFixtures.message(unsubscribe: unsubscribe)
            return [
                String(decoding: try MailMessageBuilder.bytes(of: message, date: MailFixtures.date), as: UTF8.self),
                String(decoding: try SendGridMail.body(message), as: UTF8.self),
            ]
        }
        let with = try texts(Self.link)

        #expect(with[0].contains("\r\nList-Unsubscribe: <\(Self.link)>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
        let headers = try #require(JSONParser.object(Array(with[1].utf8), JSONRules())?["headers"]?.object)
        #expect(headers["List-Unsubscribe"]?.string == "<\(Self.link)>")
        #expect(headers["List-Unsubscribe-Post"]?.string == "List-Unsubscribe=One-Click")
        for text in try texts(nil) { #expect(!text.contains("Unsubscribe")) }
    }

    static let refused = [
        "", "javascript:alert(1)", "mailto:eve@example.net", "https://a.example/>, <mailto:eve@example.net", "https://a.example/ b",
        "https://a.example/\r\nBcc: eve@example.net", "https://a.example/\nx", "https://a.example/,https://b.example",
        "https://a.example/\u{202E}",
        "https://a.example/" + String(repeating: "x", count: 900),
    ]

    @Test("E6: what is no single address of the web is refused, whichever way the mail leaves", arguments: refused)
    func injections(link: String) throws {
        let message = try MailFixtures.message(unsubscribe: link)

        #expect(throws: MailFailure.refused("unsubscribe link")) { try SendGridMail.body(message) }
        #expect(throws: MailFailure.refused("unsubscribe link")) {
            try SESMail.body(message, configurationSet: nil, date: MailFixtures.date)
        }
        #expect(throws: MailFailure.refused("unsubscribe link")) { try MailMessageBuilder.bytes(of: message, date: MailFixtures.date) }
    }

    @Test("a mail program reads the link as it was given, however long")
    func read() async throws {
        let long = "https://diary.example/" + String(repeating: "aB-_9", count: 150)
        let mail = try MailMessageBuilder.bytes(of: try MailFixtures.message(unsubscribe: long), date: MailFixtures.date)

        #expect(String(decoding: mail, as: UTF8.self).components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 998 })
        #expect(try await MailFixtures.parsed([mail]).first?.headers.contains("List-Unsubscribe-Post") == true)
    }
}
