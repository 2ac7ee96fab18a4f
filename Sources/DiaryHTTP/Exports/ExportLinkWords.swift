import DiaryCore

/// What the pages of a mailed link say, in one language. `#` stands for a number, `##` for a second one.
struct ExportLinkWords: Sendable {
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
    var selection: String
    var inside: String
    var entries: PluralText
    var size: String
    var parts: String
    var downloadsLeft: String
    /// With what stands before it.
    var colon = ":"
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
    /// Leads to `/docs`.
    var developers: String
    var method: Advice
    /// nil: the title of the error's code.
    var otherTitle: String?
    var otherText: String
    /// Before a request's id.
    var request: String

    /// Units of sizes, from bytes to gigabytes.
    var units: [String]

    static func of(_ language: WrittenLanguage) -> ExportLinkWords {
        switch language {
        case .en: english
        case .de: german
        case .es: spanish
        case .fr: french
        }
    }

    /// `812 bytes`, `4.2 MB`: decimal units, one digit after the point.
    func size(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) \(units[0])" }
        var tenths = bytes / 100
        for unit in units.dropFirst() {
            if tenths < 10_000 || unit == units.last {
                return "\(language.number(Int(tenths / 10)))\(language.separators.tenths)\(tenths % 10) \(unit)"
            }
            tenths /= 1000
        }
        return "\(bytes) \(units[0])"
    }
}
