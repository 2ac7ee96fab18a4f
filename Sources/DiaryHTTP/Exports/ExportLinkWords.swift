import DiaryCore

/// What the pages of a mailed link say.
enum ExportLinkWord: String, WrittenKey {
    static let section = "export link"

    /// `#`: the app's name.
    case title
    case titleWithoutApp
    case day, days, selection, inside, entries, size, parts, downloadsLeft
    /// With what stands before it.
    case colon
    /// `3 of 5`
    case numberOf
    case worksUntil

    case withTags, recordingsAlone, textsAlone, oneEntry, chosenEntries, changesAlone
    /// What is in the zip. Texts, subtitles and data have their formats behind them.
    case recordings, overview, texts, subtitles, data

    case download
    /// `Download part 2 of 3`
    case downloadPart
    case allUsed
    /// `Part 2 of 3: …`
    case partUsed
    case costs, partCosts, personal

    /// Why there is nothing to download, and what helps.
    case expiredTitle, expiredText, refusedTitle, refusedText, missingTitle, missingText, methodTitle, methodText
    /// Leads to `/docs`.
    case developers
    /// `#`: the title of the error's code, which is English.
    case otherTitle
    case otherText
    /// Before a request's id.
    case request

    /// Units of sizes, from bytes to gigabytes.
    case units
}

typealias ExportLinkWords = Words<ExportLinkWord>

extension ExportLinkWords {
    /// `812 bytes`, `4.2 MB`: decimal units, one digit after the point.
    func size(_ bytes: Int64) -> String {
        let units = list(.units)
        if bytes >= 1000 {
            var tenths = bytes / 100
            for unit in units.dropFirst() {
                if tenths < 10_000 || unit == units.last {
                    return "\(language.number(Int(tenths / 10)))\(Words<NumberWord>(language)[.tenths])\(tenths % 10) \(unit)"
                }
                tenths /= 1000
            }
        }
        return "\(bytes) \(units.first ?? "")"
    }
}
