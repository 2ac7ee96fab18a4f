import CurlTransfer
package import DiaryCore
import DiaryCrypto
import WireFormats

/// Mail through SendGrid (`POST /v3/mail/send`). It has no key that makes a second request the same mail: a try without an answer is
/// repeated under the same Message-ID, which SendGrid passes on.
package struct SendGridSender: MailTransport {
    let post: MailPost
    let key: SecretBytes

    package func send(_ message: OutgoingMessage) async throws(MailFailure) {
        let body = try SendGridMail.body(message)
        let key = key.bytes()
        guard !key.isEmpty, key.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .misconfigured("the key of SendGrid cannot be written into a header")
        }
        let answer = try await post.send(
            "/v3/mail/send",
            headers: [
                (name: "Authorization", value: "Bearer \(String(decoding: key, as: UTF8.self))"),
                (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
            ], body)
        if let failure = answer.failure(post.service) { throw failure }
    }
}

/// The body of `POST /v3/mail/send`, as SendGrid's SDK writes it.
enum SendGridMail {
    /// Every link is a capability and no business of the provider's: nothing is rewritten, counted or added, whatever the account's settings.
    /// - Throws: `MailFailure.refused`; its text names the field, not the value.
    static func body(_ message: OutgoingMessage) throws(MailFailure) -> [UInt8] {
        let mail = try CheckedMail(message)
        let fields = mail.fields + [(name: "Message-ID", value: mail.messageID)]
        let id = message.id.description
        let recipients = [(kind: "to", address: mail.to.text)]
        let parts = [(type: "text/plain", value: message.text)] + (message.html.map { [(type: "text/html", value: $0)] } ?? [])
        return JSONWriter.object(capacity: 2_048 + 2 * message.text.utf8.count + 2 * (message.html?.utf8.count ?? 0)) { w in
            w.member("from") { w in
                w.member("email", mail.from.text)
                if !mail.fromName.isEmpty { w.member("name", mail.fromName) }
            }
            w.member("subject", mail.subject)
            w.array("personalizations", recipients) { w, _ in
                w.object { w in
                    w.array("to", recipients) { w, recipient in w.object { w in w.member("email", recipient.address) } }
                    w.member("custom_args") { $0.member("mail", id) }
                }
            }
            w.array("content", parts) { w, part in
                w.object { w in
                    w.member("type", part.type)
                    w.member("value", part.value)
                }
            }
            w.member("headers") { w in
                for field in fields { w.member(JSONName(field.name), field.value) }
            }
            w.member("tracking_settings") { w in
                w.member("click_tracking") { w in
                    w.member("enable", false)
                    w.member("enable_text", false)
                }
                w.member("open_tracking") { $0.member("enable", false) }
                w.member("subscription_tracking") { $0.member("enable", false) }
                w.member("ganalytics") { $0.member("enable", false) }
            }
        }
    }
}
