import DiaryCore
import FoundationEssentials
import WireFormats

/// What SES publishes to a topic: events of a configuration set (`eventType`), and notifications of an identity (`notificationType`).
enum SESNotification {
    /// - Parameter id: of the message of SNS, where SES names none.
    /// - Returns: nil when the text is none of SES'. Empty when it says nothing of an address, or is of a mail that is not ours.
    static func read(_ text: String, id: String, at: Date) -> [MailEvent]? {
        guard let object = LenientJSON.value(Array(text.utf8))?.object,
            let kind = object["eventType"]?.string ?? object["notificationType"]?.string
        else {
            // The first message of a topic is plain text.
            return text.hasPrefix("Successfully validated SNS topic") ? [] : nil
        }
        guard let (reason, report) = report(kind, object), let mail = object["mail"]?.object.flatMap(mail) else { return [] }
        return [
            MailEvent(
                id: report["feedbackId"]?.string ?? id, mail: mail, reason: reason,
                at: report["timestamp"]?.string.flatMap { RFC3339.parse($0) } ?? at)
        ]
    }

    private static func report(_ kind: String, _ object: JSONObject) -> (MailBounceReason, JSONObject)? {
        switch kind {
        case "Bounce":
            guard let bounce = object["bounce"]?.object else { return nil }
            guard bounce["bounceType"]?.string == "Permanent" else { return (.softBounce, bounce) }
            switch bounce["bounceSubType"]?.string {
            case "UnsubscribedRecipient": return (.complaint, bounce)
            case "NoEmail": return (.invalidAddress, bounce)
            default: return (.hardBounce, bounce)
            }
        case "Complaint":
            // A person took a mail out of the spam folder.
            guard let complaint = object["complaint"]?.object, complaint["complaintFeedbackType"]?.string != "not-spam" else { return nil }
            return (.complaint, complaint)
        case "DeliveryDelay": return object["deliveryDelay"]?.object.map { (.softBounce, $0) }
        default: return nil
        }
    }

    /// The mail, by the tag that it was sent with. Identities publish no tags, and the mail's own Message-ID only when they include
    /// headers.
    private static func mail(_ mail: JSONObject) -> MailID? {
        if case .array(let tags)? = mail["tags"]?.object?["mail"], let id = tags.first?.string.flatMap({ MailID($0) }) { return id }
        guard case .array(let headers)? = mail["headers"] else { return nil }
        let named = headers.lazy.compactMap(\.object).first { $0["name"]?.string?.lowercased() == "message-id" }
        return named?["value"]?.string.flatMap { value in
            value.hasPrefix("<") ? MailID(String(value.dropFirst().prefix { $0 != "@" })) : nil
        }
    }
}
