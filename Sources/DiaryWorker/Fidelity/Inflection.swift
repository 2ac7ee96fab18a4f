/// Whether two words are forms of one: `walk` and `walked`, `go` and `went`, `colour` and `color`, `zwei` and `2`.
struct Inflection {
    private let language: LanguageWords

    init(_ language: LanguageWords) { self.language = language }

    /// Words whose buckets share no bit are no forms of each other: a quick answer for most pairs.
    func bucket(_ word: FidelityWord, sound: String?) -> Int64 {
        if word.number != nil { return 1 }
        var bits: Int64 = 0
        if Self.articles.contains(word.key) { bits |= 1 }
        if let form = form(word.key) { bits |= 1 << (1 + form % 20) }
        if let sound = language.homophones[word.key] { bits |= 1 << (1 + sound % 20) }
        if let first = sound?.unicodeScalars.first { bits |= Self.prefix(first, first) }
        let letters = Array(word.key.unicodeScalars.prefix(5))
        guard let first = letters.first, letters.count > 2 || (0xAC00...0xD7A3).contains(first.value) else { return bits }
        bits |= Self.prefix(first, letters.count > 1 && first.value < 0xAC00 ? letters[1] : first)
        // The German "ge" of participles hides the first letters of the stem.
        if letters.count > 4, first == "g", letters[1] == "e" { bits |= Self.prefix(letters[2], letters[3]) }
        return bits
    }

    private static func prefix(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Int64 {
        1 << (21 + Int64((first.value &* 31 &+ second.value) % 42))
    }

    private static let one = NumberRun(units: [.init(digits: "1")]).key

    /// The words that are also the number 1.
    private static let articles: Set<String> = [
        "a", "an", "one", "ein", "eine", "einen", "einem", "einer", "eines", "un", "une", "una", "uno", "um", "uma", "een", "一",
    ]

    /// - Parameters:
    ///   - first: the letters of `raw`.
    ///   - second: those of `clean`.
    ///   - soundsAlike: both have one `SoundKey`.
    func isForm(
        _ raw: FidelityWord, _ clean: FidelityWord, _ first: [Unicode.Scalar], _ second: [Unicode.Scalar], soundsAlike: Bool
    ) -> Bool {
        if let clean = clean.number {
            return raw.number?.isWritten(as: clean) ?? (Self.articles.contains(raw.key) && clean.key == Self.one)
        }
        if let number = raw.number { return Self.articles.contains(clean.key) && number.key == Self.one }
        if raw.wordClass == .negation || clean.wordClass == .negation {
            return raw.wordClass == clean.wordClass && isSameNegation(raw.key, clean.key)
        }
        if let form = form(raw.key), form == self.form(clean.key) { return true }
        if raw.wordClass == .number || clean.wordClass == .number { return hasSharedStem(first, second) }
        if let sound = language.homophones[raw.key], language.homophones[clean.key] == sound { return true }
        if raw.wordClass == .unit || clean.wordClass == .unit { return false }
        return soundsAlike || hasSharedStem(first, second) || isSpelling(first, second)
    }

    /// The form of a key, for irregular verbs also by the regular past that learners and children say: `goed`.
    private func form(_ key: String) -> Int? {
        if let form = language.forms[key] { return form }
        guard language.code == "en", key.hasSuffix("ed"), key.utf8.count > 3 else { return nil }
        return language.forms[String(key.dropLast(2))]
    }

    /// `kein` and `keinen`, `ningún` and `ninguno`, but not `nie` and `niemand`.
    private func isSameNegation(_ first: String, _ second: String) -> Bool {
        if let form = language.forms[first], language.forms[second] == form { return true }
        let (short, long) = first.utf8.count < second.utf8.count ? (first, second) : (second, first)
        return short.utf8.count >= 4 && long.hasPrefix(short) && long.utf8.count - short.utf8.count <= 2 && short != "niem"
    }

    private func hasSharedStem(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Bool {
        if isStem(first, second) { return true }
        guard language.code == "de" || language.code == "nl" else { return false }
        let ge: [Unicode.Scalar] = ["g", "e"]
        if first.starts(with: ge), first.count > 5 { return isStem(Array(first.dropFirst(2)), second) }
        if second.starts(with: ge), second.count > 5 { return isStem(first, Array(second.dropFirst(2))) }
        return false
    }

    private func isStem(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Bool {
        var shared = 0
        while shared < first.count, shared < second.count, first[shared] == second[shared] { shared += 1 }
        guard let last = shared > 0 ? first[shared - 1] : nil else { return false }
        if (0xAC00...0xD7A3).contains(last.value) { return isKoreanStem(first, second, shared) }
        guard shared >= 3, shared * 2 >= max(first.count, second.count) || language.code == "es" else { return false }
        var (one, other) = (text(first[shared...]), text(second[shared...]))
        // A doubled consonant before the ending: run, running.
        for rest in [one, other] where rest.unicodeScalars.first == last && rest.unicodeScalars.count > 2 {
            if rest == one { one = String(rest.dropFirst()) } else { other = String(rest.dropFirst()) }
        }
        if language.code == "und" { return shared >= 4 && one.count <= 3 && other.count <= 3 }
        guard language.endings.contains(one), language.endings.contains(other) else { return false }
        switch language.code {
        case "en": return isEnglishPair(one, other, shared)
        case "es": return isSpanishPair(one, other, text(first[..<shared]))
        case "it": return isItalianPair(one, other, shared)
        default: return true
        }
    }

    private func isEnglishPair(_ one: String, _ other: String, _ shared: Int) -> Bool {
        let (short, long) = one.count <= other.count ? (one, other) : (other, one)
        switch (short, long) {
        case ("", "s"), ("", "es"), ("", "ed"), ("", "ing"), ("s", "ed"), ("s", "ing"), ("ed", "ing"), ("es", "ing"), ("es", "ed"),
            ("s", "es"):
            return true
        case ("e", "ing"), ("e", "ed"), ("y", "ies"), ("y", "ied"): return true
        case ("", "d"), ("s", "d"), ("d", "s"), ("", "ly"), ("", "n"): return shared >= 4
        default: return false
        }
    }

    /// Singular and plural; not the persons and tenses, which a verb's ending alone tells.
    private func isSpanishPair(_ one: String, _ other: String, _ stem: String) -> Bool {
        let (short, long) = one.count <= other.count ? (one, other) : (other, one)
        switch (short, long) {
        case ("", "s"), ("", "es"), ("", "n"), ("o", "aron"), ("o", "eron"), ("o", "ieron"), ("io", "ieron"): return true
        // Of participles the gender too; `hijo` and `hija` are two people.
        case ("o", "a"), ("a", "o"), ("os", "as"), ("as", "os"), ("a", "os"), ("o", "as"):
            return stem.hasSuffix("ad") || stem.hasSuffix("id")
        default: return false
        }
    }

    private func isItalianPair(_ one: String, _ other: String, _ shared: Int) -> Bool { shared >= 4 }

    private func isKoreanStem(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], _ shared: Int) -> Bool {
        let rest = first[shared...] + second[shared...]
        if shared >= 2 {
            return first.count - shared <= 2 && second.count - shared <= 2 && !rest.contains { "안못않없아".unicodeScalars.contains($0) }
        }
        return rest.allSatisfy { "은는이가을를에의도로만과와서요".unicodeScalars.contains($0) }
    }

    /// One letter doubled, a vowel left out or two letters swapped, `s` for `z`, `ou` for `o`: spelling, not another word.
    private func isSpelling(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Bool {
        guard min(first.count, second.count) >= 5, abs(first.count - second.count) <= 1, first.first == second.first else { return false }
        var (start, end) = (0, 0)
        while start < first.count, start < second.count, first[start] == second[start] { start += 1 }
        while end < first.count, end < second.count, first[first.count - 1 - end] == second[second.count - 1 - end] { end += 1 }
        // Of a doubled letter each copy is counted once.
        end = min(end, min(first.count, second.count) - start)
        // Two letters at most lie between.
        guard start + end + 2 >= max(first.count, second.count) else { return false }
        let (one, other) = (first[start..<max(start, first.count - end)], second[start..<max(start, second.count - end)])
        if one.count == 2, other.count == 2 { return one.elementsEqual(other.reversed()) }
        if one.count + other.count == 1, let letter = one.first ?? other.first {
            if start > 0, first[start - 1] == letter || (letter == "u" && first[start - 1] == "o") { return true }
            // A vowel that is not spoken: `asprin`.
            return min(start, end) > 1 && min(first.count, second.count) > 5 && "aeiou".unicodeScalars.contains(letter)
        }
        return one.count == 1 && other.count == 1 && Set(one).union(other) == ["s", "z"]
    }

    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
}
