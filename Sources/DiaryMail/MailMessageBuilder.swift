package import DiaryCore
package import FoundationEssentials
import WireFormats

/// Writes a message in its transfer form (RFC 5322, 2045 to 2047): ASCII, CRLF, no line above 76 characters except with
/// addresses. Text that is unsafe in a header is refused, never changed.
package enum MailMessageBuilder {
    /// - Parameter date: the `Date` field.
    /// - Throws: `MailFailure.refused`; its text names the field, not the value.
    package static func bytes(of message: OutgoingMessage, date: Date) throws(MailFailure) -> [UInt8] {
        let mail = try CheckedMail(message)
        var lines = [
            "From: " + HeaderText.mailbox(name: mail.fromName, address: mail.from, after: "From: ".utf8.count),
            "To: \(mail.to.text)",
            "Subject: " + HeaderText.unstructured(mail.subject, after: "Subject: ".utf8.count),
            "Date: \(MailDate.text(date))",
            "Message-ID: \(mail.messageID)",
        ]
        lines += mail.fields.map { "\($0.name): \($0.value)" } + ["MIME-Version: 1.0"]
        if let html = message.html {
            // "=_" cannot occur in quoted-printable text (RFC 2045 section 6.7), so no body contains the boundary.
            let boundary = "=_\(message.id)"
            lines += ["Content-Type: multipart/alternative;", " boundary=\"\(boundary)\"", ""]
            lines += ["--\(boundary)"] + part("plain", message.text)
            lines += ["--\(boundary)"] + part("html", html)
            lines += ["--\(boundary)--", ""]
        } else {
            lines += part("plain", message.text)
        }
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// The same for every try of one mail, so that receivers can drop a second copy.
    package static func messageID(_ id: MailID, from: MailAddress) -> String { "<\(id)@\(from.domain)>" }

    private static func part(_ subtype: String, _ text: String) -> [String] {
        [
            "Content-Type: text/\(subtype); charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
            "",
        ] + QuotedPrintable.lines(text) + [""]
    }
}
