import CurlTransfer
import DiaryCore
import DiaryCrypto
import Foundation
import Testing
import WireFormats

@testable import DiaryMail

@Suite("Reports of mail providers")
struct MailFeedbackTests {
    static let id = "018f6e2c-0000-7000-8000-0123456789ab"

    static let sendGrid: [(String, MailBounceReason?)] = [
        (#""event":"bounce","type":"bounce""#, .hardBounce), (#""event":"bounce","type":"blocked""#, .softBounce),
        (#""event":"bounce","type":"bounce","bounce_classification":"Invalid Address""#, .invalidAddress),
        (#""event":"bounce""#, .hardBounce),
        (#""event":"dropped","reason":"Bounced Address""#, .hardBounce), (#""event":"dropped","reason":"Invalid""#, .invalidAddress),
        (#""event":"dropped","reason":"Spam Reporting Address""#, .complaint), (#""event":"dropped","reason":"Spam Content""#, .softBounce),
        (#""event":"deferred""#, .softBounce), (#""event":"spamreport""#, .complaint), (#""event":"delivered""#, nil),
        (#""event":"open""#, nil),
        (#""event":"processed""#, nil), (#""event":7"#, nil),
    ]

    @Test("events of SendGrid say what they mean for the address", arguments: sendGrid)
    func events(members: String, reason: MailBounceReason?) throws {
        let body = #"[{"email":"a@example.org","timestamp":1700000000,"sg_event_id":"e1","mail":"\#(Self.id)",\#(members)}]"#
        let read = try #require(SendGridEvents.read(Array(body.utf8))).events
        #expect(read.map(\.reason) == [reason].compactMap(\.self))
        #expect(read.allSatisfy { $0.id == "e1" && $0.mail.description == Self.id && $0.at == Date(timeIntervalSince1970: 1_700_000_000) })
    }

    @Test("what lacks an id, a mail of ours or a time is left out; what is no list is refused")
    func incomplete() throws {
        let body = #"""
            [1, null, {"event":"bounce"}, {"event":"bounce","sg_event_id":"","mail":"\#(Self.id)","timestamp":1},
            {"event":"bounce","sg_event_id":"e","mail":"x","timestamp":1}, {"event":"bounce","sg_event_id":"e","mail":"\#(Self.id)"},
            {"event":"bounce","sg_event_id":"e","mail":"\#(Self.id)","timestamp":99999999999999999}]
            """#
        let read = try #require(SendGridEvents.read(Array(body.utf8)))
        #expect(read.events.count == 1 && read.unread == 5)
        for body in ["", "{}", "x", "7"] { #expect(SendGridEvents.read(Array(body.utf8)) == nil) }
    }

    static let ses: [(String, MailBounceReason?)] = [
        (#""eventType":"Bounce","bounce":{"bounceType":"Permanent","bounceSubType":"General","feedbackId":"f"}"#, .hardBounce),
        (#""eventType":"Bounce","bounce":{"bounceType":"Permanent","bounceSubType":"NoEmail","feedbackId":"f"}"#, .invalidAddress),
        (#""notificationType":"Bounce","bounce":{"bounceType":"Permanent","bounceSubType":"Suppressed","feedbackId":"f"}"#, .hardBounce),
        (#""eventType":"Bounce","bounce":{"bounceType":"Transient","bounceSubType":"MailboxFull","feedbackId":"f"}"#, .softBounce),
        (#""eventType":"Bounce","bounce":{"bounceType":"Undetermined","feedbackId":"f"}"#, .softBounce),
        (#""eventType":"Complaint","complaint":{"complaintFeedbackType":"abuse","feedbackId":"f"}"#, .complaint),
        (#""eventType":"Complaint","complaint":{"complaintFeedbackType":"not-spam","feedbackId":"f"}"#, nil),
        (#""eventType":"DeliveryDelay","deliveryDelay":{"feedbackId":"f"}"#, .softBounce), (#""eventType":"Delivery","delivery":{}"#, nil),
        (#""eventType":"Bounce""#, nil), (#""eventType":"Something new""#, nil),
    ]

    @Test("events of SES say what they mean for the address, by the tag of the mail or its Message-ID", arguments: ses)
    func notifications(members: String, reason: MailBounceReason?) throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let mailID = try MailFixtures.id()
        for mail in [
            #"{"tags":{"mail":["\#(Self.id)"],"ses:from-domain":["x"]}}"#,
            #"{"headers":[{"name":"From","value":"x"},{"name":"Message-ID","value":"<\#(Self.id)@diary.example>"}]}"#,
        ] {
            let read = try #require(SESNotification.read(#"{\#(members),"mail":\#(mail)}"#, id: "m", at: now))
            #expect(
                read
                    == [reason].compactMap(\.self).map { MailEvent(id: "f", mail: mailID, reason: $0, at: now) }
            )
        }
        #expect(SESNotification.read(#"{\#(members),"mail":{"tags":{"mail":["x"]}}}"#, id: "m", at: now) == [])
    }

    @Test("what is none of SES' is refused, the first message of a topic is not")
    func otherMessages() {
        #expect(SESNotification.read("hello", id: "m", at: Date()) == nil && SESNotification.read("{}", id: "m", at: Date()) == nil)
        #expect(SESNotification.read("Successfully validated SNS topic for Amazon SES event publishing.", id: "m", at: Date()) == [])
    }

    @Test("SendGrid's signature is over the timestamp and the body, and within a day")
    func signature() async throws {
        let (key, other) = (try P256PrivateKey.generate(), try P256PrivateKey.generate())
        let now = Date()
        let reader = MailFeedbackReader(transfers: try CurlTransfers(TransferConfiguration(hosts: []), name: "curl-test"))
        func base64(_ key: P256PrivateKey) -> String { key.publicKey.pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined() }
        func refused(
            _ body: String = "[]", signed: String? = nil, at seconds: Double = 0, by signer: P256PrivateKey? = nil,
            key named: String? = nil,
            stamped: String? = nil
        ) throws -> MailFeedbackFailure? {
            let stamp = String(Int(now.timeIntervalSince1970 + seconds))
            let raw = try (signer ?? key).sign(Array((stamp + (signed ?? body)).utf8))
            let delivery = SendGridDelivery(
                body: Array(body.utf8), signature: Base64.encode(Self.der(raw)), timestamp: stamped ?? stamp)
            do throws(MailFeedbackFailure) {
                _ = try reader.events(delivery, key: named ?? base64(key), at: now)
                return nil
            } catch {
                return error
            }
        }

        #expect(try refused() == nil && refused(at: -24 * 3600) == nil && refused(at: 200) == nil)
        #expect(try refused("{}") == .malformed)
        #expect(try refused("[]", signed: "[ ]") == .refused && refused(by: other) == .refused && refused(key: base64(other)) == .refused)
        #expect(try refused(at: -26 * 3600) == .refused && refused(at: 600) == .refused)
        for stamp in ["", "x", "1e400", "nan", String(repeating: "1", count: 21)] { #expect(try refused(stamped: stamp) == .refused) }
        #expect(try refused(key: "AAAA") == .refused)
    }

    /// `ECDSA-Sig-Value` of two numbers.
    static func der(_ raw: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var bytes = Array(bytes.drop { $0 == 0 })
            if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
            return [0x02, UInt8(bytes.count)] + bytes
        }
        let numbers = integer(raw[..<32]) + integer(raw[32...])
        return [0x30, UInt8(numbers.count)] + numbers
    }

    static func sns(_ changes: [String: String] = [:]) -> [UInt8] {
        var fields = [
            "Type": "Notification", "MessageId": "m1", "TopicArn": "arn:aws:sns:eu-central-1:123456789012:diary", "Message": "x",
            "Timestamp": "2026-07-04T09:30:00.250Z", "SignatureVersion": "1", "Signature": "AAAA",
            "SigningCertURL": "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123abcd.pem",
        ]
        for (name, value) in changes { fields[name] = value }
        return JSONWriter.object(capacity: 1_024) { w in
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) { w.member(JSONName(name), value) }
        }
    }

    @Test("what SNS signs is its fields in order, each on lines of their own")
    func canonical() throws {
        let plain = try #require(SNSMessage(Self.sns()))
        #expect(
            String(decoding: plain.signedText, as: UTF8.self)
                == "Message\nx\nMessageId\nm1\nTimestamp\n2026-07-04T09:30:00.250Z\nTopicArn\narn:aws:sns:eu-central-1:123456789012:diary\nType\nNotification\n"
        )
        let named = try #require(SNSMessage(Self.sns(["Subject": "s"])))
        #expect(String(decoding: named.signedText, as: UTF8.self).contains("MessageId\nm1\nSubject\ns\nTimestamp\n"))
        let url = "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=x&Token=t"
        let first = try #require(SNSMessage(Self.sns(["Type": "SubscriptionConfirmation", "SubscribeURL": url, "Token": "t"])))
        #expect(
            String(decoding: first.signedText, as: UTF8.self).contains(
                "SubscribeURL\n\(url)\nTimestamp\n2026-07-04T09:30:00.250Z\nToken\nt\n"))
    }

    static let elsewhere: [[String: String]] =
        [
            "http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem",
            "https://sns.eu-central-1.amazonaws.com.evil.example/SimpleNotificationService-0.pem",
            "https://evil.example/SimpleNotificationService-0.pem", "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0.pem",
            "https://sns.eu-central-1.amazonaws.com@evil.example/SimpleNotificationService-0.pem",
            "https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-0.pem",
            "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-../x.pem",
            "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem?x=.pem",
            "https://sns.eu-central-1.amazonaws.com/other.pem", "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-.pem",
            "https://s3.amazonaws.com/bucket/SimpleNotificationService-0.pem", "file:///etc/passwd", "",
        ].map { ["SigningCertURL": $0] } + [
            [
                "TopicArn": "arn:aws:sns:evil.example/:123456789012:diary",
                "SigningCertURL": "https://sns.evil.example/.amazonaws.com/SimpleNotificationService-0.pem",
            ],
            ["TopicArn": "arn:aws:sns:eu-central-1:1:diary"], ["TopicArn": "arn:aws:sqs:eu-central-1:123456789012:diary"],
            ["SignatureVersion": "3"],
            ["Signature": "!"], ["Timestamp": "yesterday"], ["Type": "Other"], ["MessageId": ""], ["Type": "SubscriptionConfirmation"],
            ["Type": "SubscriptionConfirmation", "Token": "t", "SubscribeURL": "https://evil.example/?Action=ConfirmSubscription&Token=t"],
            [
                "Type": "SubscriptionConfirmation", "Token": "t",
                "SubscribeURL": "https://sns.eu-central-1.amazonaws.com/?Action=DeleteTopic&Token=t",
            ],
        ]

    @Test("a message that names another host, region, version or action is not looked at further", arguments: elsewhere)
    func hosts(changes: [String: String]) { #expect(SNSMessage(Self.sns(changes)) == nil) }

    @Test("of names that have never been a certificate a few are fetched in a minute, then some again")
    func fetches() {
        var fetches = SNSFetches()
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let taken = (0..<600).count { fetches.take(at: start.addingTimeInterval(Double($0) / 10)) }
        #expect(taken == SNSFetches.most)
        // The last is that of a clock that was put back.
        let later = [59.9, 61, -3_600].map { fetches.take(at: start.addingTimeInterval($0)) }
        #expect(later == [false, true, true])
    }

    @Test("topics and keys of settings are checked when they are set")
    func settings() throws {
        var configuration = TenantConfiguration()
        let key = try P256PrivateKey.generate().publicKey.pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        try configuration.set("mail.webhook_key", to: key)
        try configuration.set("mail.topics", to: "arn:aws:sns:eu-central-1:123456789012:a, arn:aws:sns:us-east-1:123456789012:b")
        #expect(TenantConfiguration(json: configuration.json).mailFeedbackTrust.topics.count == 2)
        #expect(TenantConfiguration(json: configuration.json).mailFeedbackTrust.sendGridKey == key)
        for bad in ["", "AAAA", key + "A", "x y", String(key.dropLast(10))] {
            #expect(throws: TenantSettingError.self) { try configuration.set("mail.webhook_key", to: bad) }
        }
        #expect(throws: TenantSettingError.self) { try configuration.set("mail.topics", to: "diary") }
    }
}
