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
