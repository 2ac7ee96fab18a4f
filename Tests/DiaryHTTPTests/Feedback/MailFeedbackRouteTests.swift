import DiaryTesting
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Reports of mail providers") struct MailFeedbackRouteTests {
    /// A request whose client waits for `100 Continue`, which is sent when its body is first read.
    private static func head(_ target: String) -> String {
        "POST /webhooks/mail/\(target) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4\r\n"
            + "X-Twilio-Email-Event-Webhook-Signature: right\r\nX-Twilio-Email-Event-Webhook-Timestamp: 1\r\n"
            + "Expect: 100-continue\r\n\r\n"
    }

    @Test("where no key or topic is set, a report is refused before its body is read", arguments: ["sendgrid", "ses"])
    func unread(provider: String) async throws {
        var ports = try FeaturePorts.stub()
        ports.mailFeedback.trust = MailFeedbackTrust()
        try await withRoutes(Stub.routes(ports)) { (server: Harness) async throws in
            for target in [provider, "\(provider)?app=diary", "\(provider)?app=unknown"] {
                let wire = try await Wire.open(server.port)
                try await wire.send(Self.head(target))
                ProblemTests.expectShape(try await wire.answer(), 401, "signature_refused")
                await wire.close()
            }
        }
    }

    @Test("where one is set, the body is read and its events are noted", arguments: ["sendgrid", "ses"])
    func read(provider: String) async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let wire = try await Wire.open(server.port)
            try await wire.send(Self.head(provider))
            #expect(try await wire.answer().status == 100)
            try await wire.send("id-1")
            let answer = try await wire.answer()
            #expect(answer.status == 200 && answer.json?["noted"]?.integer == 1)
        }
    }
}
