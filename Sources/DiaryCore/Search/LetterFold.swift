@_spi(_Unicode) import Swift

/// How a search compares characters, each by itself: the steps of docs/search.md, in its order.
enum LetterFold {
    /// Whether a folded character is a part of a word, a word of its own, or stands between words.
    enum Role { case letter, wholeWord, separator }

    /// - Returns: no characters for one that is left out.
    static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        var folded: [Unicode.Scalar] = []
        for part in String(fullWidth(scalar))._nfd {
            for lower in part.properties.lowercaseMapping.unicodeScalars {
                for upper in lower.properties.uppercaseMapping.unicodeScalars {
                    for letter in upper.properties.lowercaseMapping.unicodeScalars where !isLeftOut(letter) {
                        folded += plain[letter] ?? [letter]
                    }
                }
            }
        }
        return folded
    }

    static func role(of folded: Unicode.Scalar) -> Role {
        switch folded.properties.generalCategory {
        case .otherSymbol: .wholeWord
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
            .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            isWrittenWithoutSpaces(folded) ? .wholeWord : .letter
        default: .separator
        }
    }

    /// Step 1: half width katakana and full width ASCII.
    private static func fullWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0xFF61...0xFF9F: katakana[Int(scalar.value - 0xFF61)]
        default: scalar
        }
    }

    /// Of U+FF61 to U+FF9F; the last two are the combining sound marks.
    private static let katakana = Array(
        "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
            .unicodeScalars)

    /// Step 4.
    private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x80: return false
        case 0x640, 0xFE00...0xFE0F, 0xE0100...0xE01EF: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .format: return true
        case .nonspacingMark:
            let place = scalar.properties.canonicalCombiningClass.rawValue
            return (10...36).contains(place) || (200...240).contains(place)
        default: return false
        }
    }

    /// Step 5: letters that have no decomposition.
    private static let plain: [Unicode.Scalar: [Unicode.Scalar]] = [
        "æ": ["a", "e"], "œ": ["o", "e"], "ø": ["o"], "ł": ["l"], "đ": ["d"], "ħ": ["h"],
    ]

    /// Thai, Lao, Tibetan, Myanmar; Khmer; kana and Chinese characters.
    private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE00...0x109F, 0x1780...0x17FF, 0x3000...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}
