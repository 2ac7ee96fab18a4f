import DiaryCore

/// What the pages of a mailed link say, in one language. `#` stands for a number, `##` for a second one.
struct ExportPageWords: Sendable {
    /// With one entry, and with another number of them (plural categories of CLDR: `WrittenLanguage.isOne`).
    struct Plural: Sendable {
        var one: String
        var other: String
    }

    /// Why there is nothing to download, and what helps.
    struct Advice: Sendable {
        var title: String
        var text: String
    }

    var language: WrittenLanguage
    /// `#`: the app's name.
    var title: String
    var titleWithoutApp: String

    var day: String
    var days: String
    var times: String
    var localTimes: String
    var selection: String
    var inside: String
    var entries: Plural
    var size: String
    var parts: String
    var downloadsLeft: String
    /// `3 of 5`
    var numberOf: String
    var worksUntil: String

    var withTags: String
    var recordingsAlone: String
    var textsAlone: String
    var oneEntry: String
    var changesAlone: String

    var recordings: String
    var overview: String
    /// Texts as files of these formats.
    var texts: String
    var subtitles: String
    var data: String

    var download: String
    /// `Download part 2 of 3`
    var downloadPart: String
    var allUsed: String
    /// `Part 2 of 3: …`
    var partUsed: String
    var costs: String
    var partCosts: String
    var personal: String

    var expired: Advice
    var refused: Advice
    var missing: Advice
    var method: Advice
    /// nil: the title of the error's code.
    var otherTitle: String?
    var otherText: String
    /// Before a request's id.
    var request: String

    /// Between thousands, and before tenths.
    var separators: (thousands: String, tenths: String)
    /// Of sizes, from bytes to gigabytes.
    var units: [String]

    static func of(_ language: WrittenLanguage) -> ExportPageWords {
        switch language {
        case .en: english
        case .de: german
        case .es: spanish
        case .fr: french
        }
    }

    func number(_ value: Int) -> String {
        var digits = Substring(String(value.magnitude))
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        groups.insert(digits, at: 0)
        return (value < 0 ? "-" : "") + groups.joined(separator: separators.thousands)
    }

    func counted(_ plural: Plural, _ value: Int) -> String {
        (language.isOne(value) ? plural.one : plural.other).replacing("#", with: number(value))
    }

    /// A text with two numbers.
    func numbered(_ text: String, _ first: Int, _ second: Int) -> String {
        text.replacing("##", with: number(second)).replacing("#", with: number(first))
    }

    /// `812 bytes`, `4.2 MB`: decimal units, one digit after the point.
    func size(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) \(units[0])" }
        var tenths = bytes / 100
        for unit in units.dropFirst() {
            if tenths < 10_000 || unit == units.last { return "\(number(Int(tenths / 10)))\(separators.tenths)\(tenths % 10) \(unit)" }
            tenths /= 1000
        }
        return "\(bytes) \(units[0])"
    }
}
