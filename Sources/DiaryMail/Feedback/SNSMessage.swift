import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats

/// A message of Amazon SNS to an HTTPS endpoint ("Verifying the signatures of Amazon SNS messages" of its documentation).
struct SNSMessage {
    enum Kind: String {
        case notification = "Notification"
        case subscription = "SubscriptionConfirmation"
        case endOfSubscription = "UnsubscribeConfirmation"
    }

    let kind: Kind
    let id: String
    let topic: SNSTopic
    let message: String
    let at: Date
    let digest: RSACertificate.Digest
    let signature: [UInt8]
    /// Address of the certificate, in the topic's own region.
    let certificateURL: String
    /// What is signed.
    let signedText: [UInt8]
    /// Only with `subscription`; of the topic's own region.
    let subscribeURL: String?

    /// nil for a document that is none, or that names a host, a version or an encoding that SNS does not use.
    init?(_ body: [UInt8]) {
        guard let object = JSONParser.object(body, JSONRules(maximumDepth: 4, maximumMembers: 64)) else { return nil }
        func text(_ name: String) -> String? { object[name]?.string }
        guard let kind = text("Type").flatMap(Kind.init), let id = text("MessageId"), (1...200).contains(id.utf8.count),
            let topic = text("TopicArn").flatMap({ SNSTopic($0) }), let message = text("Message"), let timestamp = text("Timestamp"),
            let at = RFC3339.parse(timestamp), let version = text("SignatureVersion"), let encoded = text("Signature"),
            encoded.utf8.count <= 2_000, let signature = Base64.decode(encoded), let certificateURL = text("SigningCertURL"),
            Self.isCertificate(certificateURL, of: topic)
        else { return nil }
        switch version {
        case "1": digest = .sha1
        case "2": digest = .sha256
        default: return nil
        }
        var fields = [("Message", message), ("MessageId", id)]
        if kind == .notification {
            if let subject = text("Subject") { fields.append(("Subject", subject)) }
            fields.append(("Timestamp", timestamp))
            subscribeURL = nil
        } else {
            guard let url = text("SubscribeURL"), let token = text("Token") else { return nil }
            fields += [("SubscribeURL", url), ("Timestamp", timestamp), ("Token", token)]
            guard Self.isConfirmation(url, of: topic) else { return nil }
            subscribeURL = kind == .subscription ? url : nil
        }
        fields += [("TopicArn", topic.arn), ("Type", kind.rawValue)]
        signedText = fields.flatMap { Array($0.0.utf8) + [0x0A] + Array($0.1.utf8) + [0x0A] }
        self.kind = kind
        self.id = id
        self.topic = topic
        self.message = message
        self.at = at
        self.signature = signature
        self.certificateURL = certificateURL
    }

    /// `https://sns.REGION.amazonaws.com/`.
    static func origin(_ topic: SNSTopic) -> String { "https://sns.\(topic.region).amazonaws.com/" }

    private static func isCertificate(_ url: String, of topic: SNSTopic) -> Bool {
        let (prefix, suffix) = (origin(topic) + "SimpleNotificationService-", ".pem")
        guard url.hasPrefix(prefix), url.hasSuffix(suffix) else { return false }
        let name = url.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        return (1...100).contains(name.count)
            && name.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    }

    private static func isConfirmation(_ url: String, of topic: SNSTopic) -> Bool {
        url.utf8.count <= 2_000 && url.hasPrefix(origin(topic) + "?Action=ConfirmSubscription&")
            && url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }
}
