/// The words of one language that the guard treats apart. Lists are written as people write them and folded here.
struct LanguageWords: Sendable {
    let code: String
    /// Sounds that are no words; left out of both texts before anything is compared.
    let sounds: Set<String>
    /// Phrases that may go wherever they stand, by their first word.
    let fillers: [String: [[String]]]
    /// Phrases by which a speaker takes back the words before them.
    let repairs: [String: [[String]]]
    let neutral: Set<String>
    let light: Set<String>
    let negations: Set<String>
    /// Spellings and contractions, with the words they stand for.
    let variants: [String: [String]]
    /// Forms of one word that share no stem, by any of them.
    let forms: [String: Int]
    /// Words that sound the same, which a recogniser mixes up, by any of them.
    let homophones: [String: Int]
    /// What may follow a shared stem.
    let endings: Set<String>

    init(
        _ code: String, sounds: String = "", fillers: String = "", repairs: String = "", neutral: String = "", light: String = "",
        negations: String = "", variants: String = "", forms: String = "", homophones: String = "", endings: String = ""
    ) {
        self.code = code
        self.sounds = Self.words(sounds)
        self.neutral = Self.words(neutral)
        self.light = Self.words(light)
        self.negations = Self.words(negations)
        var expansions: [String: [String]] = [:]
        for line in variants.split(separator: ",") {
            let sides = line.split(separator: "=")
            guard let short = sides.first, let long = sides.last else { continue }
            for word in Self.list(short) { expansions[word] = Self.list(long) }
        }
        self.variants = expansions
        self.fillers = Self.phrases(fillers, expansions)
        self.repairs = Self.phrases(repairs, expansions)
        self.forms = Self.groups(forms)
        self.homophones = Self.groups(homophones)
        self.endings = Self.words(endings).union([""])
    }

    /// The words that tell a language apart.
    func isTypical(_ key: String) -> Bool { neutral.contains(key) || light.contains(key) || negations.contains(key) }

    func wordClass(_ key: String) -> WordClass {
        if negations.contains(key) || denies(key) { return .negation }
        if MeasureWords.isFraction(key) { return .number }
        if MeasureWords.isUnit(key) { return .unit }
        if neutral.contains(key) { return .neutral }
        return light.contains(key) ? .light : .content
    }

    /// Korean denies by words with endings of their own.
    private func denies(_ key: String) -> Bool { (code == "ko" || code == "und") && Self.koreanDenials.contains { key.hasPrefix($0) } }

    private static let koreanDenials = ["않", "없", "못", "아니", "아닙", "말아"]

    private static func list(_ text: some StringProtocol) -> [String] {
        text.split(whereSeparator: { $0 == " " || $0 == "\n" }).map { LetterFolding.fold(String($0)) }
    }

    private static func words(_ text: String) -> Set<String> { Set(list(text)) }

    private static func groups(_ text: String) -> [String: Int] {
        var groups: [String: Int] = [:]
        for (index, group) in text.split(separator: ",").enumerated() {
            for word in list(group) { groups[word] = index }
        }
        return groups
    }

    private static func phrases(_ text: String, _ variants: [String: [String]]) -> [String: [[String]]] {
        var phrases: [String: [[String]]] = [:]
        for phrase in text.split(separator: ",") {
            let words = list(phrase).flatMap { variants[$0] ?? [$0] }
            guard let first = words.first else { continue }
            phrases[first, default: []].append(words)
        }
        return phrases.mapValues { $0.sorted { $0.count > $1.count } }
    }
}

extension LanguageWords {
    static let all: [LanguageWords] = [
        .english, .german, .french, .spanish, .italian, .portuguese, .dutch, .polish, .russian, .nordic, .korean, .unspaced,
    ]

    private static let byCode: [String: LanguageWords] = {
        var table = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
        for code in ["zh", "yue", "ja", "th", "lo", "km", "my"] { table[code] = .unspaced }
        for code in ["sv", "no", "nb", "nn", "da", "is"] { table[code] = .nordic }
        for code in ["uk", "be", "bg", "sr"] { table[code] = .russian }
        for code in ["cs", "sk", "hr", "sl"] { table[code] = .polish }
        return table
    }()

    /// The language that the words are in: the one that is named, unless another fits far better.
    static func of(_ keys: [String], named: String) -> LanguageWords {
        // "um" is English for nothing and German for "at".
        let sounds = byCode[named]?.sounds ?? other.sounds
        let (found, count) = detected(keys.filter { !sounds.contains($0) })
        guard let named = byCode[named] else { return count > 2 ? found ?? .other : .other }
        guard let found, found.code != named.code else { return named }
        return count > 6 && count > 3 * keys.count(where: named.isTypical) ? found : named
    }

    /// The language with most typical words, and their number.
    static func detected(_ keys: [String]) -> (LanguageWords?, count: Int) {
        var best: (LanguageWords?, count: Int) = (nil, 0)
        for language in all {
            let count = keys.count(where: language.isTypical)
            if count > best.count { best = (language, count) }
        }
        return best
    }

    /// For a language that has no list: what is a negation in any of them counts as one.
    static let other = LanguageWords(
        "und", sounds: "hm hmm mm mmm uh uhm uhh umm äh ähm euh öh",
        negations: all.flatMap { $0.negations.subtracting(["sin", "sans", "ne", "no", "plus", "mai", "ei"]) }.joined(separator: " ")
            + """
             değil yok hayır hiç asla nem nincs soha semmi senki en et emme ette eivät ei không chưa đừng chẳng tidak bukan jangan belum tanpa \
            لا ليس ليست لم لن ما غير بدون أبدا नहीं मत बिना कभी ไม่ δεν μην ποτέ όχι χωρίς לא אין בלי אף nu niciodată nimic fără
            """,
        endings: "s e n en es a i")
}
