import DiaryCore
import FoundationEssentials
import WireFormats

/// The events of SendGrid's Event Webhook ("Event Webhook Reference" of its documentation).
enum SendGridEvents {
    /// The signature says that the batch is SendGrid's, and it has the words of any mail server in the world: it is read as well as it can be.
    /// - Returns: those that say something of an address, of mails with our custom argument, and how many could not be read; nil when the body is
    ///   no list.
    static func read(_ body: [UInt8]) -> (events: [MailEvent], unread: Int)? {
        let items: [JSONValue]
        switch LenientJSON.value(body) {
        case .array(let values)?: items = values
        case .object(let object)? where object["event"] != nil: items = [.object(object)]
        default: return nil
        }
        let events = items.compactMap { $0.object.flatMap(event) }
        // What is of no mail of ours, and says nothing of an address, is left out as well.
        let meant = items.count { value in value.object.map { reason($0) != nil && $0["mail"] != nil } ?? true }
        return (events, max(0, meant - events.count))
    }

    private static func event(_ object: JSONObject) -> MailEvent? {
        guard let reason = reason(object), let id = text(object["sg_event_id"]), (1...200).contains(id.utf8.count),
            let mail = text(object["mail"]).flatMap({ MailID($0) }), let at = time(object["timestamp"])
        else { return nil }
        return MailEvent(id: id, mail: mail, reason: reason, at: at)
    }

    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?: text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        case .number(let number)?: number
        default: nil
        }
    }

    /// Seconds since 1970, also as a text, with a fraction, or in milliseconds; or a date.
    private static func time(_ value: JSONValue?) -> Date? {
        guard let text = text(value) else { return nil }
        guard let number = Double(text), number.isFinite else { return RFC3339.parse(text) }
        return Date(timeIntervalSince1970: min(max(number > 100_000_000_000 ? number / 1000 : number, 0), 253_402_300_799))
    }

    private static func reason(_ object: JSONObject) -> MailBounceReason? {
        switch text(object["event"])?.lowercased() {
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
