/// Languages that the service writes to people in.
package enum WrittenLanguage: String, Sendable, CaseIterable {
    case en, de, es, fr

    /// The language of a tag; nil for one that the service does not write.
    package init?(tag: String) {
        guard let locale = MailLocale(tag) else { return nil }
        self.init(rawValue: locale.language)
    }

    /// The account's, else the app's, else English: that of a mail in the service's own words.
    package static func of(account: String?, app: String?) -> WrittenLanguage {
        MailLocale.chain(account, app: app).lazy.compactMap { WrittenLanguage(rawValue: $0) }.first ?? .en
    }

    /// The plural category `one` of CLDR for whole numbers.
    package func isOne(_ number: Int) -> Bool { self == .fr ? number == 0 || number == 1 : number == 1 }
}

extension WrittenLanguage {
    /// Between thousands, and before tenths. The French one between thousands is a narrow no-break space.
    package var separators: (thousands: String, tenths: String) {
        switch self {
        case .en: (",", ".")
        case .de, .es: (".", ",")
        case .fr: ("\u{202F}", ",")
        }
    }

    /// `1,234,567`
    package func number(_ value: Int) -> String {
        var digits = Substring(String(value.magnitude))
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        groups.insert(digits, at: 0)
        return (value < 0 ? "-" : "") + groups.joined(separator: separators.thousands)
    }

    package func counted(_ text: PluralText, _ value: Int) -> String {
        (isOne(value) ? text.one : text.other).replacing("#", with: number(value))
    }

    /// A text with two numbers, `#` and `##`.
    package func numbered(_ text: String, _ first: Int, _ second: Int) -> String {
        text.replacing("##", with: number(second)).replacing("#", with: number(first))
    }
}

/// A text for one of something and for another number of it, by ``WrittenLanguage/isOne(_:)``. `#` stands for the number.
package struct PluralText: Sendable {
    package var one: String
    package var other: String

    package init(one: String, other: String) {
        self.one = one
        self.other = other
    }
}
