/// Letters without case, accents and widths, as far as two spellings of one word differ in them.
enum LetterFolding {
    static func fold(_ scalar: Unicode.Scalar, into text: inout String) {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            if lower.isASCII {
                text.unicodeScalars.append(lower)
            } else if isAccent(lower) {
                continue
            } else if let plain = plain[lower] {
                text += plain
            } else {
                text.unicodeScalars.append(lower)
            }
        }
    }

    static func fold(_ word: String) -> String {
        var text = ""
        for scalar in word.unicodeScalars { fold(scalar, into: &text) }
        return text
    }

    /// Full-width forms as the usual ones, other scripts' digits as 0 to 9.
    static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if (0xFF01...0xFF5E).contains(scalar.value) { return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar }
        if scalar.value > 0x7F, scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue,
            (0...9).contains(value)
        {
            return Unicode.Scalar(0x30 + UInt8(value))
        }
        return scalar
    }

    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool { (0x300...0x36F).contains(scalar.value) }

    private static let plain: [Unicode.Scalar: String] = {
        let groups = [
            ("a", "àáâãäåāăą"), ("ae", "æ"), ("c", "çćĉċč"), ("d", "ďđð"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"), ("h", "ĥħ"),
            ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"), ("n", "ñńņňŉ"), ("o", "òóôõöøōŏőơ"), ("oe", "œ"),
            ("r", "ŕŗř"), ("s", "śŝşšș"), ("ss", "ß"), ("t", "ţťŧț"), ("u", "ùúûüũūŭůűųư"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
            ("е", "ё"),
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (plain, letters) in groups {
            for letter in letters.unicodeScalars { table[letter] = plain }
        }
        return table
    }()
}
