import DiaryCore
import FoundationEssentials
import WireFormats

/// The events of SendGrid's Event Webhook ("Event Webhook Reference" of its documentation).
enum SendGridEvents {
    /// - Returns: those that say something of an address, of mails with our custom argument; nil when the body is no list.
    static func read(_ body: [UInt8]) -> [MailEvent]? {
        guard case .array(let items)? = try? JSONParser.parse(body) else { return nil }
        return items.compactMap { $0.object.flatMap(event) }
    }

    private static func event(_ object: JSONObject) -> MailEvent? {
        guard let reason = reason(object), let id = object["sg_event_id"]?.string, (1...200).contains(id.utf8.count),
            let mail = object["mail"]?.string.flatMap({ MailID($0) }), let at = object["timestamp"]?.integer
        else { return nil }
        return MailEvent(id: id, mail: mail, reason: reason, at: Date(timeIntervalSince1970: Double(min(max(at, 0), 253_402_300_799))))
    }

    private static func reason(_ object: JSONObject) -> MailBounceReason? {
        switch object["event"]?.string {
        case "bounce":
            // Refused for now, mostly because of the sender: the address takes mail.
            if object["type"]?.string == "blocked" { return .softBounce }
            return object["bounce_classification"]?.string == "Invalid Address" ? .invalidAddress : .hardBounce
        // Not sent, because of SendGrid's own list.
        case "dropped":
            switch object["reason"]?.string {
            case "Bounced Address": return .hardBounce
            case "Invalid": return .invalidAddress
            case "Spam Reporting Address", "Unsubscribed Address": return .complaint
            default: return .softBounce
            }
        case "deferred": return .softBounce
        case "spamreport": return .complaint
        default: return nil
        }
    }
}
