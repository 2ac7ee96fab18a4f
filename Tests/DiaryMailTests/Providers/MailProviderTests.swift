import CurlTransfer
import DiaryCore
import DiaryCrypto
import Foundation
import S3Client
import TestPeers
import Testing
import WireFormats

@testable import DiaryMail

@Suite("Mail by providers")
struct MailProviderTests {
    private static func json(_ body: [UInt8]) throws -> JSONObject { try #require(JSONParser.object(body, JSONRules())) }

    @Test("E6: control characters and line ends are refused in every field of a request", arguments: MailInjectionTests.payloads)
    func injections(payload: String) throws {
        let attempts = try [
            MailFixtures.message(subject: "a\(payload)"), MailFixtures.message(fromName: "a\(payload)"),
            MailFixtures.message(to: "anna@example.org" + payload), MailFixtures.message(fromAddress: "mail@\(payload)diary.example"),
        ]
        for attempt in attempts {
            #expect(throws: MailFailure.self) { try SendGridMail.body(attempt) }
            #expect(throws: MailFailure.self) { try SESMail.body(attempt, configurationSet: nil, date: MailFixtures.date) }
        }
    }

    @Test("E6: a text that is not a plain address is no recipient", arguments: MailInjectionTests.addresses)
    func addresses(address: String) throws {
        let message = try MailFixtures.message(to: address)

        #expect(throws: MailFailure.refused("recipient address")) { try SendGridMail.body(message) }
        #expect(throws: MailFailure.refused("recipient address")) {
            try SESMail.body(message, configurationSet: nil, date: MailFixtures.date)
        }
    }

    @Test("links are capabilities: each request turns tracking off")
    func tracking() throws {
        let message = try MailFixtures.message()
        let sendGrid = try Self.json(try SendGridMail.body(message))["tracking_settings"]?.object
        let ses = try Self.json(try SESMail.body(message, configurationSet: "tracked", date: MailFixtures.date))

        for kind in ["click_tracking", "open_tracking", "subscription_tracking", "ganalytics"] {
            #expect(sendGrid?[kind]?.object?["enable"] == .bool(false), "\(kind)")
        }
        #expect(sendGrid?["click_tracking"]?.object?["enable_text"] == .bool(false))
        let overrides = ses["ConfigurationOverrides"]?.object?["Tracking"]?.object
        #expect(overrides?["OpenTrackingEnabled"]?.string == "DISABLED" && overrides?["ClickTrackingEnabled"]?.string == "DISABLED")
        #expect(ses["ConfigurationSetName"]?.string == "tracked")
    }

    @Test("SES gets the message as a mail server would")
    func raw() throws {
        let message = try MailFixtures.message()
        let body = try Self.json(try SESMail.body(message, configurationSet: nil, date: MailFixtures.date))

        let raw = try #require(body["Content"]?.object?["Raw"]?.object?["Data"]?.string)
        #expect(Base64.decode(raw) == (try MailMessageBuilder.bytes(of: message, date: MailFixtures.date)))
        #expect(body["FromEmailAddress"] == nil && body["ConfigurationSetName"] == nil)
    }

    @Test("a key of SES is one secret of two or three parts")
    func credentials() throws {
        func read(_ text: String) -> SigV4Credentials? { SigV4Credentials(SecretBytes(Array(text.utf8))) }
        let two = try #require(read("AKIA:se/cr+et"))
        let three = try #require(read("AKIA:secret:to/ken=="))

        #expect(two.accessKeyID == "AKIA" && two.secret.bytes() == Array("se/cr+et".utf8) && two.sessionToken == nil)
        #expect(three.sessionToken == "to/ken==")
        for text in ["", "AKIA", ":secret", "AKIA:", "AKIA:secret:", "AKIA:secret:token:more", "AK/IA:secret", "::"] {
            #expect(read(text) == nil, "\(text)")
        }
    }

    @Test("a provider's address is a scheme, a host and maybe a port")
    func endpoints() {
        #expect(MailEndpoint("https://email.eu-central-1.amazonaws.com/")?.host == "email.eu-central-1.amazonaws.com")
        #expect(MailEndpoint("https://example.org:443")?.host == "example.org")
        #expect(MailEndpoint("http://127.0.0.1:8080")?.host == "127.0.0.1:8080")
        for text in ["", "example.org", "smtp://example.org", "https://", "https://example.org/v3", "https://a@example.org"] {
            #expect(MailEndpoint(text) == nil, "\(text)")
        }
    }

    @Test("A9: a provider that hangs or is not there is tried again; an answer that is cut after 2xx is a success", .timeLimit(.minutes(1)))
    func transfers() async throws {
        let peer = try await PythonPeer("http_fake.py")
        let endpoint = try #require(MailEndpoint("http://127.0.0.1:\(peer.port("http"))"))
        let silent = try #require(MailEndpoint("http://127.0.0.1:\(peer.port("silent"))"))
        let absent = try #require(MailEndpoint("http://127.0.0.1:1"))
        let transfers = try CurlTransfers(TransferConfiguration(hosts: []), name: "curl-mail")
        func post(_ endpoint: MailEndpoint) -> MailPost {
            MailPost(
                service: "X", endpoint: endpoint, transfers: transfers,
                deadlines: TransferDeadlines(connect: .seconds(2), total: .seconds(2), stall: .seconds(1)))
        }

        await #expect(throws: MailFailure.unavailable("X: timed out")) { try await post(silent).send("/", headers: [], [1]) }
        await #expect(throws: MailFailure.unavailable("X: could not connect")) { try await post(absent).send("/", headers: [], [1]) }
        #expect(try await post(endpoint).send("/drip", headers: [], [1]).isSuccess)
        await transfers.close(within: .zero)
    }
}
