import CurlTransfer
import DiaryCore
import DiaryCrypto
import DiaryMail
import Foundation
import TestPeers
import Testing

@Suite("Mail over SMTP", .serialized)
struct SMTPSenderTests {
    private func failure(_ sender: SMTPSender, _ given: OutgoingMessage? = nil) async throws -> MailFailure? {
        let message = try given ?? MailFixtures.message()
        do throws(MailFailure) {
            try await sender.send(message)
            return nil
        } catch {
            return error
        }
    }

    @Test("a message arrives as it was built, with one MAIL, one RCPT and one DATA", arguments: [false, true])
    func arrives(isTLS: Bool) async throws {
        let fixtures = try await SMTPFixtures(isTLS ? "plain+tls" : "plain")
        let message = try MailFixtures.message(text: "Hello\n.\n..\n.dot\nFrom x\n" + String(repeating: "ä", count: 20_000))

        try await fixtures.sender(isTLS ? "plain+tls" : "plain", isTLS ? .implicit : .none).send(message)

        let bytes = try MailMessageBuilder.bytes(of: message, date: MailFixtures.date)
        #expect(try await fixtures.messages().map { $0 + "\r\n" } == [String(decoding: bytes, as: UTF8.self)])
        #expect(
            try await fixtures.commands() == [
                "EHLO diary.example", "MAIL FROM:<mail@diary.example> SIZE=\(bytes.count)", "RCPT TO:<anna@example.org>", "DATA", "QUIT",
            ])
    }

    @Test("a second try is the same mail under the same Message-ID")
    func sameMessageID() async throws {
        let fixtures = try await SMTPFixtures("end4xx", "plain")
        let message = try MailFixtures.message()

        #expect(try await failure(fixtures.sender("end4xx"), message) != nil)
        try await fixtures.sender("plain").send(message)

        let ids = try await fixtures.messages().map { $0.components(separatedBy: "\r\n").filter { $0.hasPrefix("Message-ID:") } }
        #expect(ids.count == 2 && ids[0] == ids[1] && ids[0].count == 1)
    }

    @Test(
        "replies to the mail decide: 5xx never again, 4xx later",
        arguments: [
            ("mail4xx", .unavailable("SMTP 451: protocol error 55")), ("mail5xx", .misconfigured("SMTP 550")),
            ("rcpt4xx", .unavailable("SMTP 450: protocol error 55")), ("rcpt5xx", .refused("SMTP 550 5.1.1")),
            ("data4xx", .unavailable("SMTP 452: protocol error 55")), ("data5xx", .refused("SMTP 554")),
            ("end4xx", .unavailable("SMTP 451: protocol error 8")), ("end5xx", .refused("SMTP 554")),
            ("endbig", .refused("SMTP 552 5.3.4")),
            // About the sender, for an operator to mend.
            ("mailsender", .misconfigured("SMTP 553 5.1.8")), ("rcptrelay", .misconfigured("SMTP 550 5.7.64")),
            ("enddmarc", .misconfigured("SMTP 550 5.7.26")),
            // About the server or the client, not about the mail.
            ("greet554", .unavailable("SMTP 554: protocol error 8")), ("mail530", .misconfigured("SMTP 530 5.7.0")),
            ("lines", nil),
        ] as [(String, MailFailure?)])
    func replies(mode: String, expected: MailFailure?) async throws {
        let fixtures = try await SMTPFixtures(mode)

        #expect(try await failure(fixtures.sender(mode)) == expected)
    }

    @Test("a server that hangs, drops or is not there is tried again", .timeLimit(.minutes(1)))
    func absent() async throws {
        let fixtures = try await SMTPFixtures("silent", "hangdata", "drop")
        let short = TransferDeadlines(connect: .seconds(2), total: .seconds(3), stall: .seconds(1))
        for mode in ["silent", "hangdata"] {
            #expect(try await failure(fixtures.sender(mode, deadlines: short)) == .unavailable("SMTP: timed out"), "\(mode)")
        }
        guard case .unavailable = try await failure(fixtures.sender("drop")) else { return #expect(Bool(false)) }
        // An unknown name's port is 0 here, where no server listens.
        let transfers = try CurlTransfers(TransferConfiguration(hosts: [AllowedHost(.smtp, "127.0.0.1", port: 1, mayBePrivate: true)]))
        let sender = SMTPSender(transfers: transfers, server: SMTPServer("127.0.0.1", port: 1, security: .none))
        #expect(try await failure(sender) == .unavailable("SMTP: could not connect"))
    }

    @Test("a mail is sent once the server has accepted it, even if QUIT is never answered", .timeLimit(.minutes(1)))
    func unansweredQuit() async throws {
        let fixtures = try await SMTPFixtures("noquit")

        #expect(
            try await failure(
                fixtures.sender("noquit", deadlines: TransferDeadlines(connect: .seconds(2), total: .seconds(20), stall: .seconds(1))))
                == nil)
        #expect(try await fixtures.messages().count == 1)
    }

    @Test("F9: no connection is made to a server that is not in the list, or to an address it may not have")
    func notAllowed() async throws {
        let fixtures = try await SMTPFixtures("plain")
        let other = SMTPSender(
            transfers: try CurlTransfers(TransferConfiguration(hosts: [])),
            server: SMTPServer("127.0.0.1", port: fixtures.peer.port("plain"), security: .none))

        #expect(try await failure(other) == .unavailable("SMTP: not allowed"))
        #expect(try await failure(fixtures.sender("plain", mayBePrivate: false)) == .unavailable("SMTP: not allowed"))
        #expect(try await fixtures.events("accepted").isEmpty)
    }

    @Test("many mails at once are many mails")
    func many() async throws {
        let fixtures = try await SMTPFixtures("plain")
        let sender = try fixtures.sender("plain")
        let message = try MailFixtures.message()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<30 { group.addTask { try await sender.send(message) } }
            try await group.waitForAll()
        }

        #expect(try await fixtures.messages().count == 30)
        #expect(try await fixtures.verbs().filter { $0 == "MAIL" }.count == 30)
    }
}
