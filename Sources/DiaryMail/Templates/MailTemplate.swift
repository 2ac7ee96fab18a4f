package import DiaryCore

/// Mails of sign-up and exports; those about an existing account are `AccountMail`. Values are escaped for HTML; no mail has content of
/// a diary.
package enum MailTemplate: Sendable {
    /// Proof of an address, for sign-up, sign-in and reset.
    case verificationCode(code: String, appName: String, minutes: Int)
    /// `days` follows "your entries": `of 22 November 2026`. `expiresAt` is the text to show.
    case exportReady(link: String, appName: String, expiresAt: String, days: String)
    /// A sign-up with an address that has an account. Sent instead of a code, so that the sign-up page
    /// answers the same in both cases.
    case addressAlreadyRegistered(appName: String)

    package var subject: String {
        switch self {
        case .verificationCode(_, let appName, _): "Your code for \(appName)"
        case .exportReady(_, let appName, _, _): "Your \(appName) export is ready"
        case .addressAlreadyRegistered(let appName): "You already have an account with \(appName)"
        }
    }

    package var text: String { MailLayout.text(paragraphs) }
    package var html: String { MailLayout.html(title: subject, paragraphs) }

    package func message(id: MailID, fromName: String, fromAddress: String, to: String) -> OutgoingMessage {
        OutgoingMessage(id: id, fromName: fromName, fromAddress: fromAddress, to: to, subject: subject, text: text, html: html)
    }

    private var paragraphs: [MailParagraph] {
        switch self {
        case .verificationCode(let code, let appName, let minutes):
            [
                .words("Enter this code in \(appName):"),
                .code(code),
                .words("It is valid for \(minutes) \(minutes == 1 ? "minute" : "minutes") and works once."),
                .words("If you did not ask for it, ignore this mail. No one from \(appName) will ever ask you for this code."),
            ]
        case .exportReady(let link, let appName, let expiresAt, let days):
            [
                .words("The export of your \(appName) entries \(days) is ready. Download it here:"),
                .link(link, label: "Open the download page"),
                .words("The link is valid until \(expiresAt). Anyone who has it can download the export, so do not forward this mail."),
                .words("If you did not ask for an export, sign in and delete it there: its link stops working at once."),
            ]
        case .addressAlreadyRegistered(let appName):
            [
                .words("Someone, probably you, tried to register this address with \(appName). There already is an account for it."),
                .words("To get in, sign in with this address and your password."),
                .words("If it was not you, ignore this mail. Nothing was changed."),
            ]
        }
    }
}
