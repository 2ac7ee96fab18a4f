package import DiaryCore

/// The service's own words of each kind of mail. Mails about an account have no link, so that users do not learn to follow links in such mails.
package enum BuiltInMails {
    /// In the form of ``MailTemplate``: what `diary tenant mail-template set` takes.
    package static func text(_ kind: MailKind, _ language: WrittenLanguage) -> String {
        switch language {
        case .en: english(kind)
        case .de: german(kind)
        case .es: spanish(kind)
        case .fr: french(kind)
        }
    }
}
