/// Languages that the service writes to people in. One more is a case, and a file of its words with its place in ``file``.
package enum WrittenLanguage: String, Sendable, CaseIterable {
    case en, de, es, fr

    /// In the form of ``LanguageFile``.
    var file: String {
        switch self {
        case .en: Self.english
        case .de: Self.german
        case .es: Self.spanish
        case .fr: Self.french
        }
    }

    /// The language of a tag; nil for one that the service does not write.
    package init?(tag: String) {
        guard let locale = MailLocale(tag) else { return nil }
        self.init(rawValue: locale.language)
    }

    /// The account's, else the app's, else English: that of a mail in the service's own words.
    package static func of(account: String?, app: String?) -> WrittenLanguage {
        MailLocale.chain(account, app: app).lazy.compactMap { WrittenLanguage(rawValue: $0) }.first ?? .en
    }

    /// The service's own words of a kind of mail, in the form of `MailTemplate`: what `diary tenant mail-template set` takes.
    package func mail(_ kind: MailKind) -> String { LanguageFile.of(self).mails[kind.rawValue] ?? "" }
}

package enum NumberWord: String, WrittenKey {
    package static let section = "numbers"

    /// What stands between thousands, and before tenths.
    case thousands, tenths
    /// The whole numbers of the plural category `one` of CLDR.
    case one
}

extension WrittenLanguage {
    package func isOne(_ number: Int) -> Bool { Words<NumberWord>(self).list(.one).contains(String(number)) }

    /// `1,234,567`
    package func number(_ value: Int) -> String {
        var digits = Substring(String(value.magnitude))
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        groups.insert(digits, at: 0)
        return (value < 0 ? "-" : "") + groups.joined(separator: Words<NumberWord>(self)[.thousands])
    }
}
