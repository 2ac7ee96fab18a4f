/// Units of scripts that are written without spaces: characters, but negations, fillers and numbers in one piece.
enum ScriptUnits {
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        guard value >= 0x0E00 else { return false }
        guard ranges.contains(where: { $0.contains(value) }) else { return false }
        // Stops of Tibetan, Burmese and Khmer; there are none among ideographs.
        return value >= 0x1800 || scalar.properties.generalCategory != .otherPunctuation
    }

    /// Thai to Lao, Tibetan, Myanmar, Khmer, kana, ideographs.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x0E00...0x0EFF, 0x0F00...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3041...0x30FA, 0x30FC...0x30FF,
        0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x2FA1F,
    ]

    enum Unit: Equatable {
        case word(String)
        case number(String)
        /// 万, 亿: multiplies the number before it.
        case scale(zeros: Int)
    }

    static func split(_ written: [Unicode.Scalar]) -> [Unit] {
        let text = contracted(written)
        var units: [Unit] = []
        var at = 0
        while at < text.count {
            if let (length, unit) = number(text, at) ?? scale(text, at, isAfterNumber: at == 0) {
                units.append(unit)
                at += length
                continue
            }
            let length = lexeme(text, at) ?? character(text, at)
            var word = ""
            word.unicodeScalars.append(contentsOf: text[at..<min(at + length, text.count)])
            units.append(.word(word))
            at += length
        }
        return units
    }

    // MARK: contractions

    /// Japanese in one spelling: `ている` as it is spoken, `てる`, and frequent words that some write in kana, `ひとり`, as `一人`.
    private static func contracted(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard text.contains(where: { contractions[$0] != nil }) else { return text }
        var short: [Unicode.Scalar] = []
        short.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            let found = contractions[text[at]]?.first {
                at + $0.long.count <= text.count && zip($0.long, text[at...]).allSatisfy { $0 == $1 }
            }
            short += found?.short ?? [text[at]]
            at += found?.long.count ?? 1
        }
        return short
    }

    /// Contractions by the first sign of the long form, the longest first.
    private static let contractions: [Unicode.Scalar: [(long: [Unicode.Scalar], short: [Unicode.Scalar])]] = {
        var table: [Unicode.Scalar: [(long: [Unicode.Scalar], short: [Unicode.Scalar])]] = [:]
        for (long, short) in [
            ("ている", "てる"), ("ていた", "てた"), ("ていて", "てて"), ("ていな", "てな"), ("ていま", "てま"), ("でいる", "でる"), ("でいた", "でた"),
            ("でいて", "でて"), ("でいな", "でな"), ("ておく", "とく"), ("ておこ", "とこ"), ("ておい", "とい"), ("てしまう", "ちゃう"), ("てしまっ", "ちゃっ"),
            ("てしまい", "ちゃい"), ("でしまう", "じゃう"), ("でしまっ", "じゃっ"), ("でしまい", "じゃい"), ("なければ", "なきゃ"), ("なくては", "なくちゃ"),
            ("ではな", "じゃな"), ("わたし", "私"), ("友だち", "友達"), ("ともだち", "友達"), ("ごはん", "ご飯"), ("ほんとう", "本当"), ("ほんとに", "本当に"),
            ("子ども", "子供"), ("こども", "子供"), ("おいし", "美味し"), ("うれし", "嬉し"), ("たのし", "楽し"), ("かわい", "可愛"), ("いろいろ", "色々"),
            ("たくさん", "沢山"), ("きのう", "昨日"), ("あした", "明日"), ("ひとり", "一人"), ("ふたり", "二人"),
        ] {
            guard let first = long.unicodeScalars.first else { continue }
            table[first, default: []].append((Array(long.unicodeScalars), Array(short.unicodeScalars)))
        }
        return table.mapValues { $0.sorted { $0.long.count > $1.long.count } }
    }()

    // MARK: words

    private static func lexeme(_ text: [Unicode.Scalar], _ at: Int) -> Int? {
        guard let candidates = lexemes[text[at]] else { return nil }
        return candidates.first { word in
            at + word.count <= text.count && zip(word, text[at...]).allSatisfy { $0 == $1 }
                && !(at + word.count < text.count && isMark(text[at + word.count]))
        }?.count
    }

    /// Words by their first scalar, the longest first.
    private static let lexemes: [Unicode.Scalar: [[Unicode.Scalar]]] = {
        let words = LanguageWords.unspaced
        var all = words.sounds.union(words.neutral).union(words.light).union(words.negations)
        for phrases in Array(words.fillers.values) + Array(words.repairs.values) { all.formUnion(phrases.joined()) }
        var table: [Unicode.Scalar: [[Unicode.Scalar]]] = [:]
        for word in all {
            let scalars = Array(word.unicodeScalars)
            if scalars.count > 1, let first = scalars.first { table[first, default: []].append(scalars) }
        }
        return table.mapValues { $0.sorted { $0.count > $1.count } }
    }()

    /// A character with the vowels and tones written above and below it.
    private static func character(_ text: [Unicode.Scalar], _ at: Int) -> Int {
        var end = at + 1
        while end < text.count, isMark(text[end]) { end += 1 }
        return end - at
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    // MARK: numbers

    private static func number(_ text: [Unicode.Scalar], _ at: Int) -> (Int, Unit)? {
        if let thai = thaiNumber(text, at) { return thai }
        var end = at
        while end < text.count, end - at < 24, digits[text[end]] != nil || small[text[end]] != nil || (end > at && large[text[end]] != nil)
        { end += 1 }
        // 一 alone is part of many words.
        guard end > at, end - at > 1 || (text[at] != "一" && text[at] != "千" && text[at] != "百") else { return nil }
        let run = text[at..<end]
        if !run.contains(where: { small[$0] != nil || large[$0] != nil }) {
            return (end - at, .number(run.compactMap { digits[$0].map(String.init) }.joined()))
        }
        return value(run).map { (end - at, .number(String($0))) }
    }

    private static func value(_ run: ArraySlice<Unicode.Scalar>) -> Int? {
        var (total, section, digit, last) = (0, 0, 0, 1)
        for scalar in run {
            if let value = digits[scalar] {
                digit = value
                if value == 0 { last = 1 }
            } else if let factor = small[scalar] {
                section += max(1, digit) * factor
                (digit, last) = (0, factor)
            } else if let factor = large[scalar] {
                let (sum, isOver) = (total + max(1, section + digit)).multipliedReportingOverflow(by: factor)
                guard !isOver, sum < 1_000_000_000_000_000 else { return nil }
                (total, section, digit, last) = (sum, 0, 0, 1)
            }
        }
        // 一百五 is 150.
        return total + section + (last >= 100 ? digit * last / 10 : digit)
    }

    private static func scale(_ text: [Unicode.Scalar], _ at: Int, isAfterNumber: Bool) -> (Int, Unit)? {
        guard isAfterNumber else { return nil }
        let zeros: [Unicode.Scalar: Int] = ["千": 3, "万": 4, "萬": 4, "亿": 8, "億": 8]
        return zeros[text[at]].map { (1, .scale(zeros: $0)) }
    }

    private static let digits: [Unicode.Scalar: Int] = [
        "〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    ]
    private static let small: [Unicode.Scalar: Int] = ["十": 10, "百": 100, "千": 1_000]
    private static let large: [Unicode.Scalar: Int] = ["万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000]

    private static func thaiNumber(_ text: [Unicode.Scalar], _ at: Int) -> (Int, Unit)? {
        guard (0x0E00...0x0E7F).contains(text[at].value) else { return nil }
        var (total, digit, end) = (0, 0, at)
        scan: while end < text.count {
            for (word, value) in thai where end + word.count <= text.count && zip(word, text[end...]).allSatisfy({ $0 == $1 }) {
                if end + word.count < text.count, isMark(text[end + word.count]) { continue }
                if value >= 1_000_000 {
                    guard total < 1_000_000 else { break scan }
                    (total, digit) = ((total + max(1, digit)) * value, 0)
                } else if value >= 10 {
                    (total, digit) = (total + max(1, digit) * value, 0)
                } else {
                    digit = value
                }
                end += word.count
                continue scan
            }
            break
        }
        return end > at ? (end - at, .number(String(total + digit))) : nil
    }

    private static let thai: [([Unicode.Scalar], Int)] = [
        ("ศูนย์", 0), ("หนึ่ง", 1), ("เอ็ด", 1), ("สอง", 2), ("ยี่", 2), ("สาม", 3), ("สี่", 4), ("ห้า", 5), ("หก", 6), ("เจ็ด", 7), ("แปด", 8),
        ("เก้า", 9),
        ("สิบ", 10), ("ร้อย", 100), ("พัน", 1_000), ("หมื่น", 10_000), ("แสน", 100_000), ("ล้าน", 1_000_000),
    ].map { (Array($0.0.unicodeScalars), $0.1) }
}
