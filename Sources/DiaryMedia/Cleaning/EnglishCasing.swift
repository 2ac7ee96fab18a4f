/// Words that English always capitalises: I, days, months, a few holidays.
enum EnglishCasing {
    static func apply(_ tokens: inout [CleaningToken]) {
        for index in tokens.indices where needsCapital(tokens, index) {
            tokens[index].core = tokens[index].core.capitalizedFirst
        }
    }

    private static func needsCapital(_ tokens: [CleaningToken], _ index: Int) -> Bool {
        let word = tokens[index].key
        if word == "i" || word.hasPrefix("i'") { return true }
        let stem = word.hasSuffix("'s") ? String(word.dropLast(2)) : word
        if always.contains(stem) || (stem.hasSuffix("s") && days.contains(String(stem.dropLast()))) { return true }
        // "may" and "march" are also verbs.
        guard stem == "may" || stem == "march", index > 0 else { return false }
        guard let before = tokens.key(index - 1), dated.contains(before) else { return false }
        let after = tokens.key(index + 1) ?? ""
        return !["be", "have", "not", "i", "he", "she", "we", "they", "to"].contains(after)
    }

    private static let days: Set<String> = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let always: Set<String> = days.union([
        "january", "february", "april", "june", "july", "august", "september", "october", "november", "december", "christmas", "easter",
        "thanksgiving", "halloween", "english",
    ])
    private static let dated: Set<String> = ["in", "since", "until", "till", "by", "during", "last", "next", "early", "late", "mid", "of"]
}

extension String {
    /// Leaves the rest as it is.
    var capitalizedFirst: String {
        guard let first else { return self }
        return first.uppercased() + dropFirst()
    }
}
