package import DiaryCore

/// What words of a mail may name, in braces.
package enum MailPlaceholder: String, Sendable, CaseIterable {
    case app, code, minutes, link, days, until, entries, unsubscribe

    enum Form { case text, number, code, link }

    var form: Form {
        switch self {
        case .app, .days, .until: .text
        case .minutes, .entries: .number
        case .code: .code
        case .link, .unsubscribe: .link
        }
    }

    /// `{minutes|one minute|# minutes}`, as an operator writes it.
    package var example: String {
        switch form {
        case .text, .code: "{\(rawValue)}"
        case .number: "{\(rawValue)|one|#}"
        case .link: "{\(rawValue)|label}"
        }
    }
}

extension MailKind {
    /// Mails about an account have no link, so that users do not learn to follow links in such mails.
    package var placeholders: [MailPlaceholder] {
        if self == .exportReady { return [.app, .link, .days, .until, .entries, .unsubscribe] }
        return isRequestedCode ? [.app, .code, .minutes] : [.app]
    }

    /// Without which the mail says nothing.
    var neededPlaceholder: MailPlaceholder? { placeholders.first { $0 == .code || $0 == .link } }
}
