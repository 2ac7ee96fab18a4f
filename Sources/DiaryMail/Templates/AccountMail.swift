package import DiaryCore

/// Mails about an existing account: requested codes, and notices to its owner. None has a link, so that users do not learn to follow links
/// in such mails.
package struct AccountMail: Sendable {
    package let subject: String
    private let paragraphs: [MailParagraph]

    /// - Parameters:
    ///   - code: for the kinds that carry one.
    ///   - minutes: the code's lifetime.
    /// - Returns: nil for a kind of another template, or when the code that the kind needs is missing.
    package init?(_ kind: MailKind, code: String?, appName: String, minutes: Int) {
        func coded(_ use: String) -> [MailParagraph]? {
            code.map { code in
                [
                    .words(use), .code(code),
                    .words(
                        "It is valid for \(minutes) \(minutes == 1 ? "minute" : "minutes") and works once, in the app that asked for it."),
                    .words("If you did not ask for it, ignore this mail. No one from \(appName) will ever ask you for this code."),
                ]
            }
        }
        let words: (String, [MailParagraph]?)
        switch kind {
        case .signInCode: words = ("Your code to sign in to \(appName)", coded("Enter this code in \(appName) to sign in:"))
        case .resetCode:
            words = ("Your code for a new \(appName) password", coded("Enter this code in \(appName) to choose a new password:"))
        case .addressCode: words = ("Your code for \(appName)", coded("Enter this code in \(appName) to make this your address there:"))
        case .reauthenticationCode:
            words = ("Your code to confirm a change in \(appName)", coded("Enter this code in \(appName) to confirm that it is you:"))
        case .sessionReused:
            words = (
                "You were signed out of \(appName) on one device",
                [
                    .words(
                        "A token of yours that had been used already was shown again, so we ended that session: it may have been copied from your device."
                    ),
                    .words(
                        "Sign in again there. If you think that someone else has been in your account, choose a new password; it ends every other session."
                    ),
                ]
            )
        case .passwordChanged:
            words = (
                "Your \(appName) password was changed",
                [
                    .words("Your password was changed, and every session was ended."),
                    .words("If it was not you, ask for a new password in \(appName) now: the code for it comes to this address."),
                ]
            )
        case .identityLinked:
            words = (
                "A way to sign in was added to \(appName)",
                [
                    .words("Your account can now be opened by Apple or Google, too."),
                    .words("If it was not you, take it away in \(appName), under the ways to sign in, and choose a new password."),
                ]
            )
        case .identityUnlinked:
            words = (
                "A way to sign in was taken away from \(appName)",
                [
                    .words("One of the ways to sign in to your account does not work any more."),
                    .words("If it was not you, someone else has been in your account: write to the operator of \(appName) today."),
                ]
            )
        case .addressChanged:
            words = (
                "Your \(appName) address was changed",
                [
                    .words("Your account now has another address. This one does not sign in any more."),
                    .words("If it was not you, someone else has been in your account: write to the operator of \(appName) today."),
                ]
            )
        case .verificationCode, .addressAlreadyRegistered, .exportReady: return nil
        }
        guard let paragraphs = words.1 else { return nil }
        subject = words.0
        self.paragraphs = paragraphs
    }

    package var text: String { MailLayout.text(paragraphs) }
    package var html: String { MailLayout.html(title: subject, paragraphs) }

    package func message(id: MailID, fromName: String, fromAddress: String, to: String) -> OutgoingMessage {
        OutgoingMessage(id: id, fromName: fromName, fromAddress: fromAddress, to: to, subject: subject, text: text, html: html)
    }
}
