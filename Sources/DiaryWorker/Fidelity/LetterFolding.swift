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
        // Letters of Vietnamese, which others write with marks behind the letter.
        for (letter, plain) in composed where table[letter] == nil { table[letter] = plain }
        return table
    }()

    /// Of Vietnamese: texts are equal where their characters are, composed or not.
    private static let composed: [(Unicode.Scalar, String)] = {
        let marks = [0x300...0x304, 0x306...0x30C, 0x30F...0x311, 0x31B...0x31B, 0x323...0x328, 0x32D...0x331].flatMap { range in
            range.compactMap { Unicode.Scalar(UInt32($0)).map { String($0) } }
        }
        var plain: [String: String] = [:]
        for letter in "abcdefghijklmnopqrstuvwxyz".map({ String($0) }) {
            for mark in marks {
                plain[letter + mark] = letter
                for other in marks { plain[letter + mark + other] = letter }
            }
        }
        return (0x1EA0...0x1EF9).compactMap { value in
            Unicode.Scalar(UInt32(value)).flatMap { scalar in plain[String(scalar)].map { (scalar, $0) } }
        }
    }()
}
