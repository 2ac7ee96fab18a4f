/// Splits a text into words, numbers in digits and signs, as they are written.
struct FidelityTokenizer {
    struct Piece {
        /// Lower case, without accents.
        var key: String
        var units: [NumberRun.Unit] = []
        var isCapital = false
        var isAllCaps = false
        var opensSentence = false
        /// Nothing stands between it and the piece before.
        var isGlued = false
        /// A stroke right before a word, which is a minus where the word is a number.
        var isStroke = false
        /// Zeros of the 万 or 億 that it ended with, which smaller numbers may follow.
        var zeros = 0

        var isNumber: Bool { !units.isEmpty }
    }

    static func pieces(_ text: String) -> [Piece] {
        var tokenizer = FidelityTokenizer(text)
        tokenizer.run()
        return tokenizer.pieces
    }

    private let text: [Unicode.Scalar]
    private var pieces: [Piece] = []
    private var at = 0
    private var opensSentence = true
    private var isGlued = false
    /// A currency sign before its number, which comes behind it in speech.
    private var held: String?

    private init(_ text: String) { self.text = text.unicodeScalars.map(LetterFolding.narrow) }

    private mutating func run() {
        while at < text.count {
            let scalar = text[at]
            if Self.isDigit(scalar) {
                number()
            } else if ScriptUnits.contains(scalar) {
                unspaced()
            } else if Self.isLetter(scalar) {
                word()
            } else {
                other(scalar)
                at += 1
            }
        }
        release()
    }

    private mutating func append(_ piece: Piece) {
        var piece = piece
        piece.opensSentence = opensSentence
        piece.isGlued = isGlued
        if let held, !piece.isNumber {
            self.held = nil
            pieces.append(Piece(key: held))
        }
        pieces.append(piece)
        opensSentence = false
        isGlued = true
        release()
    }

    private mutating func release() {
        if let held { pieces.append(Piece(key: held)) }
        held = nil
    }

    private mutating func word() {
        let start = at
        var key = ""
        var capitals = 0
        while at < text.count {
            let scalar = text[at]
            if Self.isLetter(scalar), !ScriptUnits.contains(scalar) {
                if scalar.properties.isUppercase || scalar.properties.generalCategory == .titlecaseLetter { capitals += 1 }
                LetterFolding.fold(scalar, into: &key)
            } else if Self.isApostrophe(scalar), at + 1 < text.count, Self.isLetter(text[at + 1]), at > start {
                key += "'"
            } else if !Self.isJoiner(scalar) {
                break
            }
            at += 1
        }
        let first = text[start]
        append(
            Piece(
                key: key, isCapital: first.properties.isUppercase, isAllCaps: capitals > 1 && capitals == at - start))
    }

    private mutating func unspaced() {
        let start = at
        while at < text.count, ScriptUnits.contains(text[at]) { at += 1 }
        for unit in ScriptUnits.split(Array(text[start..<at])) {
            switch unit {
            case .word(let word): append(Piece(key: LetterFolding.fold(word)))
            case .number(let digits):
                append(Piece(key: digits, units: [.init(digits: digits)]))
                mergeFraction()
            case .scale(let zeros):
                if let last = pieces.indices.last, isGlued, let unit = pieces[last].units.last {
                    let whole = pieces[last].units.dropLast().map(\.digits).joined() + unit.digits
                    let fraction = unit.isApart ? unit.digits.utf8.count : 0
                    if fraction <= zeros, whole.utf8.count < 12 {
                        pieces[last].units = [.init(digits: whole + String(repeating: "0", count: zeros - fraction))]
                        pieces[last].zeros = zeros
                        mergeScaled()
                        continue
                    }
                }
                append(Piece(key: zeros == 8 ? "亿" : zeros == 4 ? "万" : "千"))
            }
        }
    }

    /// `1,500`, `3.50`, `8:30`, `12.05.2024`.
    private mutating func number() {
        if at > 0, Self.strokes.contains(text[at - 1]), at < 2 || text[at - 2].properties.isWhitespace {
            append(Piece(key: "minus"))
        }
        var units: [NumberRun.Unit] = [.init(digits: digits())]
        while at + 1 < text.count, Self.separators.contains(text[at]), Self.isDigit(text[at + 1]) {
            let separator = text[at]
            at += 1
            let group = digits()
            let last = units[units.count - 1]
            if separator != ":", group.utf8.count == 3, last.digits.utf8.count <= (units.count == 1 ? 12 : 3), last.digits != "0" {
                units[units.count - 1].digits += group
            } else if separator == ":" {
                let minutes = String(group.drop { $0 == "0" })
                if !minutes.isEmpty { units.append(.init(digits: minutes, isApart: true)) }
            } else {
                units.append(.init(digits: group, isApart: true))
            }
        }
        // "1 200"
        while units.count == 1, units[0].digits.utf8.count <= 9, units[0].digits.first != "0", isThousands(at) {
            at += 1
            units[0].digits += digits()
        }
        append(Piece(key: "#", units: units))
        mergeFraction()
        // "2.º"
        if at + 1 < text.count, text[at] == ".", text[at + 1] == "º" || text[at + 1] == "ª" { at += 1 }
        if at >= text.count || !Self.scales.contains(text[at]) { mergeScaled() }
    }

    /// Hyphens, the figure dash, and minus.
    private static let strokes: Set<Unicode.Scalar> = ["-", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2212}", "\u{FE63}"]

    /// Of a hundred and more. Beside them skin tones are signs.
    private static let shares: Set<Unicode.Scalar> = ["\u{2030}", "\u{2031}", "\u{609}", "\u{60A}", "\u{66A}", "\u{FE6A}"]

    private static let scales: Set<Unicode.Scalar> = ["千", "万", "萬", "亿", "億"]

    /// `六十二点五`, and the minutes of `三点五分`.
    private mutating func mergeFraction() {
        guard pieces.count > 2, pieces[pieces.count - 1].isGlued, pieces[pieces.count - 2].isGlued else { return }
        guard ["点", "點"].contains(pieces[pieces.count - 2].key), let unit = pieces[pieces.count - 1].units.first else { return }
        guard pieces[pieces.count - 1].units.count == 1, pieces[pieces.count - 3].units.count == 1 else { return }
        pieces.removeLast(2)
        pieces[pieces.count - 1].units.append(.init(digits: unit.digits, isApart: true))
    }

    /// `8万5千`, `8万5000`: the smaller number behind belongs to the larger one.
    private mutating func mergeScaled() {
        guard pieces.count > 1, isGlued, pieces[pieces.count - 1].units.count == 1, pieces[pieces.count - 2].units.count == 1 else {
            return
        }
        let (last, before) = (pieces[pieces.count - 1], pieces[pieces.count - 2])
        guard last.isGlued, before.zeros > last.zeros, last.units[0].digits.utf8.count <= before.zeros else { return }
        let (smaller, larger) = (last.units[0].digits, before.units[0].digits)
        pieces.removeLast()
        pieces[pieces.count - 1].units[0].digits = larger.dropLast(smaller.utf8.count) + smaller
        pieces[pieces.count - 1].zeros = last.zeros
    }

    /// A blank, and three digits that no other digit follows.
    private func isThousands(_ at: Int) -> Bool {
        guard at + 3 < text.count, text[at] == " ", text[(at + 1)...(at + 3)].allSatisfy(Self.isDigit) else { return false }
        return at + 4 >= text.count || !Self.isDigit(text[at + 4])
    }

    private mutating func digits() -> String {
        var digits = ""
        while at < text.count, Self.isDigit(text[at]) {
            digits.unicodeScalars.append(text[at])
            at += 1
        }
        return digits
    }

    private mutating func other(_ scalar: Unicode.Scalar) {
        isGlued = false
        if let half = ["½": "5", "¼": "25", "¾": "75"][String(scalar)] {
            if let last = pieces.indices.last, pieces[last].isNumber {
                pieces[last].units.append(.init(digits: half, isApart: true, isHalf: half == "5"))
            } else {
                append(Piece(key: "#", units: [.init(digits: "0"), .init(digits: half, isApart: true)]))
            }
        } else if [.letterNumber, .otherNumber].contains(scalar.properties.generalCategory) {
            append(Self.numeral(scalar))
            isGlued = false
        } else if Self.strokes.contains(scalar), at == 0 || text[at - 1].properties.isWhitespace, at + 1 < text.count,
            Self.isLetter(text[at + 1])
        {
            // U+2212 says minus before any word.
            append(Piece(key: scalar == "\u{2212}" ? String(scalar) : "-", isStroke: true))
            isGlued = false
        } else if let sign = MeasureWords.sign(scalar) {
            if scalar.properties.generalCategory == .currencySymbol, pieces.last?.isNumber != true || !isBehindNumber {
                held = sign
            } else {
                append(Piece(key: sign))
            }
        } else if ".?!…。！？।؟۔;".unicodeScalars.contains(scalar) || (scalar == "\n" && at > 0 && text[at - 1] == "\n") {
            opensSentence = true
        } else if [.otherSymbol, .mathSymbol].contains(scalar.properties.generalCategory), !"|~^".unicodeScalars.contains(scalar) {
            append(Piece(key: String(scalar)))
            isGlued = false
        } else if scalar.properties.generalCategory == .currencySymbol || Self.shares.contains(scalar)
            || (0x1F3FB...0x1F3FF).contains(scalar.value)
        {
            append(Piece(key: String(scalar)))
            isGlued = false
        } else if "\"“„«»‘’'(:-–—¿¡「『*".unicodeScalars.contains(scalar) {
            // A quotation begins with a capital letter of its own.
            if scalar != "-", scalar != "'", scalar != "’" { opensSentence = true }
        }
    }

    /// `²`, `Ⅷ`, `①`: a number of its own; another one, such as a third, is a word that nobody said.
    private static func numeral(_ scalar: Unicode.Scalar) -> Piece {
        guard let value = scalar.properties.numericValue, let number = Int(exactly: value), number >= 0 else {
            return Piece(key: String(scalar))
        }
        return Piece(key: "#", units: [.init(digits: String(number))])
    }

    /// True when at most a blank stands between the last digit and here.
    private var isBehindNumber: Bool {
        guard at > 0 else { return false }
        if Self.isDigit(text[at - 1]) { return true }
        return at > 1 && text[at - 1].properties.isWhitespace && Self.isDigit(text[at - 2])
            && !(at + 1 < text.count && Self.isDigit(text[at + 1]))
    }

    private static let separators: Set<Unicode.Scalar> = [".", ",", ":", "'", "’", "\u{A0}", "\u{202F}"]

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "’" || scalar == "ʼ" || scalar == "‘" }

    /// Soft hyphen, zero-width joiner and non-joiner, variation selectors.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{AD}" || scalar == "\u{200C}" || scalar == "\u{200D}" || (0xFE00...0xFE0F).contains(scalar.value)
    }
}
