import DiaryCore
import Foundation
import TestPrograms
import Testing

enum MailFixtures {
    static let date = Date(timeIntervalSince1970: 1_772_281_858)

    static func id(_ text: String = "018f6e2c-0000-7000-8000-0123456789ab") throws -> MailID { try #require(MailID(text)) }

    static func message(
        fromName: String = "My Day", fromAddress: String = "mail@diary.example", to: String = "anna@example.org",
        subject: String = "Your export", text: String = "Hello\n", html: String? = "<p>Hello</p>\n",
        unsubscribe: String? = nil
    ) throws -> OutgoingMessage {
        OutgoingMessage(
            id: try id(), fromName: fromName, fromAddress: fromAddress, to: to, subject: subject, text: text, html: html,
            unsubscribe: unsubscribe)
    }

    /// What Python's `email` package reads, as JSON: header names in order, decoded fields, decoded bodies by type.
    static func parsed(_ mails: [[UInt8]]) async throws -> [ParsedMail] {
        let folder = NSTemporaryDirectory() + "mail-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (number, mail) in mails.enumerated() {
            try Data(mail).write(to: URL(fileURLWithPath: "\(folder)/\(number)"))
        }
        let script = """
            import email, email.header, email.policy, email.utils, json, sys
            out = []
            for number in range(int(sys.argv[2])):
                raw = open("%s/%d" % (sys.argv[1], number), "rb").read()
                mail = email.message_from_bytes(raw, policy=email.policy.default)
                sender, to = mail["From"].addresses, mail["To"].addresses
                # Not display_name: Python up to 3.12 keeps the white space between encoded words there, against RFC 2047 section 6.2.
                field = email.message_from_bytes(raw)["From"].replace("\\r\\n", "")
                name = str(email.header.make_header(email.header.decode_header(email.utils.parseaddr(field)[0])))
                parts = {}
                for part in mail.walk():
                    assert not part.defects, part.defects
                    if not part.is_multipart():
                        parts[part.get_content_type()] = part.get_payload(decode=True).decode(part.get_content_charset())
                out.append(dict(headers=mail.keys(), from_name=name, from_address=sender[0].addr_spec,
                    senders=len(sender), to=[a.addr_spec for a in to], subject=str(mail["Subject"]), date=str(mail["Date"].datetime),
                    message_id=str(mail["Message-ID"]), auto_submitted=str(mail["Auto-Submitted"]), type=mail.get_content_type(),
                    defects=[str(d) for d in mail.defects] + [str(d) for h in mail.values() for d in h.defects], parts=parts))
            json.dump(out, sys.stdout)
            """
        let reading = try await TestProgram.run(["python3", "-c", script, folder, String(mails.count)])
        try #require(reading.status == 0)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode([ParsedMail].self, from: Data(reading.output))
    }

    /// CRLF only, ASCII only, no line above 76 characters except with addresses.
    static func isCleanOnTheWire(_ mail: [UInt8]) -> Bool {
        let lines = String(decoding: mail, as: UTF8.self).components(separatedBy: "\r\n")
        return mail.allSatisfy { [9, 10, 13].contains($0) || (32...126).contains($0) }
            && lines.allSatisfy { line in
                !line.contains("\r") && !line.contains("\n") && line.utf8.count <= (line.contains("@") ? 998 : 76)
            }
    }
}

struct ParsedMail: Decodable {
    var headers: [String]
    var fromName: String
    var fromAddress: String
    var senders: Int
    var to: [String]
    var subject: String
    var date: String
    var messageId: String
    var autoSubmitted: String
    var type: String
    var defects: [String]
    var parts: [String: String]
}
