import DiaryCore
import FoundationEssentials
import WireFormats

/// The body of SES' `SendEmail` (API v2).
enum SESMail {
    /// The message in its transfer form, as a mail server would get it. Without `FromEmailAddress`, which would take the place of the
    /// message's `From` and its name. Opens and clicks are not tracked, whatever the account's settings.
    static func body(_ message: OutgoingMessage, configurationSet: String?, date: Date) throws(MailFailure) -> [UInt8] {
        let mail = try CheckedMail(message)
        let raw = Base64.encode(try MailMessageBuilder.bytes(of: message, date: date))
        return JSONWriter.object(capacity: 512 + raw.utf8.count) { w in
            w.member("Destination") { $0.member("ToAddresses", [mail.to.text]) }
            w.member("Content") { w in
                w.member("Raw") { $0.member("Data", raw) }
            }
            w.array("EmailTags", [(name: "mail", value: message.id.description)]) { w, tag in
                w.object { w in
                    w.member("Name", tag.name)
                    w.member("Value", tag.value)
                }
            }
            w.memberIfPresent("ConfigurationSetName", configurationSet)
            w.member("ConfigurationOverrides") { w in
                w.member("Tracking") { w in
                    w.member("OpenTrackingEnabled", "DISABLED")
                    w.member("ClickTrackingEnabled", "DISABLED")
                }
            }
        }
    }
}
