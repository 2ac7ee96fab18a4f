import CurlTransfer
import DiaryCore
import DiaryCrypto
import DiaryMail
import Foundation
import TestPeers
import Testing

@Suite("E7: TLS for mail, E6: injections on the wire", .serialized)
struct SMTPSecurityTests {
    private func failure(_ sender: SMTPSender) async throws -> MailFailure? {
        let message = try MailFixtures.message()
        do throws(MailFailure) {
            try await sender.send(message)
            return nil
        } catch {
            return error
        }
    }

    @Test("E7: with STARTTLS everything but the greeting is under TLS")
    func startTLS() async throws {
        let fixtures = try await SMTPFixtures("starttls")

        #expect(try await failure(fixtures.sender("starttls", .startTLS)) == nil)

        #expect(try await fixtures.verbs(tls: false) == ["EHLO", "STARTTLS"])
        #expect(try await fixtures.verbs(tls: true) == ["EHLO", "MAIL", "RCPT", "DATA", "QUIT"])
    }

    @Test("E7: STARTTLS that is not offered or refused: no address and no word goes out", arguments: ["stripped", "refusetls"])
    func stripped(mode: String) async throws {
        let fixtures = try await SMTPFixtures(mode)

        #expect(try await failure(fixtures.sender(mode, .startTLS, login: SMTPFixtures.login())).map(\.isUnavailable) == true)

        #expect(try await Set(fixtures.verbs()).isSubset(of: ["EHLO", "STARTTLS", "QUIT"]))
        #expect(try await fixtures.messages().isEmpty)
        #expect(try await fixtures.events("login").isEmpty)
    }

    @Test("E7: plain text after the answer to STARTTLS is refused and not read as a reply")
    func injected() async throws {
        let fixtures = try await SMTPFixtures("inject")

        #expect(try await failure(fixtures.sender("inject", .startTLS, login: SMTPFixtures.login())).map(\.isUnavailable) == true)

        #expect(try await fixtures.verbs(tls: false) == ["EHLO", "STARTTLS"])
        #expect(try await fixtures.verbs(tls: true).isEmpty)
        #expect(try await fixtures.messages().isEmpty)
        #expect(try await fixtures.events("login").isEmpty)
    }

    @Test("E7: a certificate of another host, a self-signed one, or one of an unknown authority is refused, with STARTTLS and without")
    func certificates() async throws {
        for (certificate, trusts) in [(SMTPFixtures.Certificate.otherHost, true), (.selfSigned, true), (.good, false)] {
            let fixtures = try await SMTPFixtures("starttls", "plain+tls", certificate: certificate)

            let startTLS = try fixtures.sender("starttls", .startTLS, login: SMTPFixtures.login(), trusts: trusts)
            #expect(try await failure(startTLS).map(\.isUnavailable) == true)
            #expect(try await failure(fixtures.sender("plain+tls", .implicit, trusts: trusts)) == .unavailable("SMTP: TLS failed"))

            #expect(try await fixtures.verbs(tls: true).isEmpty)
            #expect(try await fixtures.messages().isEmpty)
            #expect(try await fixtures.events("login").isEmpty)
        }
    }

    @Test("E7: a login goes out under TLS, in one of two mechanisms, and a refused one is reported to the operator")
    func login() async throws {
        let fixtures = try await SMTPFixtures("login", "badlogin")

        #expect(try await failure(fixtures.sender("login", .startTLS, login: SMTPFixtures.login())) == nil)
        let login = try #require(try await fixtures.events("login").first)
        #expect(login["mechanism"] as? String == "PLAIN" && login["text"] as? String == "\u{0}diary\u{0}p:ässword")
        #expect(login["tls"] as? Bool == true)

        let refused = try #require(try await failure(fixtures.sender("badlogin", .startTLS, login: SMTPFixtures.login())))
        #expect(refused.isUnavailable && !"\(refused)".contains("ssword") && !"\(refused)".contains("diary"))
        #expect(try await fixtures.messages().count == 1)
    }

    @Test("E7: without TLS no login is sent, whatever the server offers")
    func loginWithoutTLS() async throws {
        let fixtures = try await SMTPFixtures("plain")

        #expect(try await failure(fixtures.sender("plain", .none, login: SMTPFixtures.login())) == .unavailable("SMTP: not allowed"))
        #expect(try await fixtures.events("accepted").isEmpty)
    }

    @Test("a login that is no line of text is none")
    func loginForm() {
        for (user, password) in [("", "p"), ("u", ""), ("u\r\nx", "p"), ("u", "p\n"), ("u", "p\u{0}"), ("u\u{7F}", "p")] {
            #expect(SMTPLogin(user: SecretBytes(Array(user.utf8)), password: SecretBytes(Array(password.utf8))) == nil)
        }
    }

    @Test("E6: on the wire each attempt is one MAIL, one RCPT and one DATA, or nothing at all")
    func injections() async throws {
        let fixtures = try await SMTPFixtures("plain")
        let sender = try fixtures.sender("plain")
        let payloads = MailInjectionTests.payloads + MailInjectionTests.harmless
        var messages = try payloads.flatMap { text in
            [
                try MailFixtures.message(to: "anna@example.org" + text), try MailFixtures.message(subject: text),
                try MailFixtures.message(fromName: text), try MailFixtures.message(fromAddress: "mail@diary.example" + text),
                try MailFixtures.message(text: text, html: text),
            ]
        }
        messages += try MailInjectionTests.addresses.map { try MailFixtures.message(to: $0) }
        var taken = 0

        for message in messages {
            do throws(MailFailure) {
                try await sender.send(message)
                taken += 1
            } catch {
                guard case .refused = error else { return #expect(Bool(false), "\(error)") }
            }
        }

        let verbs = try await fixtures.verbs()
        for verb in ["EHLO", "MAIL", "RCPT", "DATA", "QUIT"] { #expect(verbs.filter { $0 == verb }.count == taken, "\(verb)") }
        #expect(verbs.count == taken * 5)
        #expect(try await Set(fixtures.commands().filter { $0.hasPrefix("RCPT") }) == ["RCPT TO:<anna@example.org>"])
        #expect(try await fixtures.events("message").allSatisfy { $0["after"] as? Int == 0 })
        for raw in try await fixtures.messages() {
            let head = raw.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n").filter { !$0.hasPrefix(" ") }
            #expect(head.count == 8)
        }
        print("E6: \(messages.count) attempts, \(messages.count - taken) refused before the wire, \(taken) sent as one mail each")
    }

    @Test("E6: the transfer itself refuses addresses and messages that the builder would never make")
    func wall() async throws {
        let fixtures = try await SMTPFixtures("plain")
        let server = SMTPServer("127.0.0.1", port: fixtures.peer.port("plain"), security: .none)
        let transfers = try CurlTransfers(TransferConfiguration(hosts: [server.allowedHost(mayBePrivate: true)]))
        let addresses = [
            "", "a", "a@", "a@b@c.example", "a@b.example>", "<a@b.example", "a@b.example> SIZE=1",
            "a@b.example\r\nRCPT TO:<eve@example.net>",
            "a@b.example\nDATA", "a\u{0}@b.example", "a b@c.example", "é@b.example", "\"a\"@b.example", "a@b.example,c@d.example",
            String(repeating: "a", count: 300) + "@b.example",
        ]
        func deliver(_ sender: String, _ recipient: String, _ message: String, _ server: SMTPServer) async throws {
            _ = try await transfers.deliver(
                SMTPDelivery(server: server, sender: sender, recipient: recipient, message: Array(message.utf8)))
        }

        for address in addresses {
            await #expect(throws: TransferError.notAllowed) { try await deliver(address, "a@b.example", "x\r\n", server) }
            await #expect(throws: TransferError.notAllowed) { try await deliver("a@b.example", address, "x\r\n", server) }
        }
        for message in ["a\nb\r\n", "a\rb\r\n", "a\r\n.\r", "\n.\n", "a\u{0}\r\n", "\r\r\n"] {
            await #expect(throws: TransferError.notAllowed) { try await deliver("a@b.example", "a@b.example", message, server) }
        }
        for name in ["", "a b", "a\r\nMAIL FROM:<x@y.example>", "a/b", "é"] {
            var server = server
            server.clientName = name
            await #expect(throws: TransferError.notAllowed) { try await deliver("a@b.example", "a@b.example", "x\r\n", server) }
        }

        #expect(try await fixtures.events("accepted").isEmpty)
        try await deliver("a@b.example", "a@b.example", "..\r\n.\r\nx", server)
        #expect(try await fixtures.messages() == ["...\r\n..\r\nx"], "dots doubled, end marked")
    }
}

extension MailFailure {
    var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
}
