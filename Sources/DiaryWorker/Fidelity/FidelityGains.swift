import DiaryCore

/// Words of the cleaned text that stand for none of the raw one.
struct FidelityGains {
    private(set) var kept = 0
    private(set) var count = 0
    private(set) var hasNumber = false
    private(set) var hasNegation = false
    private var hasName = false
    private var words = 0
    private var small = 0
    private var longestRun = 0
    private let allowed: Int

    init(_ clean: [FidelityWord], _ alignment: WordAlignment, _ language: LanguageWords) {
        // Speech leaves particles out that are written in Japanese, each a unit of its own.
        allowed = language.code == "zh" ? max(4, clean.count / 12) : max(2, clean.count / 33)
        var run = 0
        var kana = 0
        for (index, word) in clean.enumerated() {
            if alignment.rawOf[index] >= 0 {
                kept += 1
                (run, kana) = (0, 0)
                continue
            }
            count += 1
            run += 1
            switch word.wordClass {
            case .content where Self.isSupplied(clean, index, alignment): small += 1
            case .number: hasNumber = true
            case .negation: hasNegation = true
            case .neutral: small += 1
            // "5°" for "fifth", "8 h" for "eight".
            case .unit where (word.key == "h" || word.key == "degree") && index > 0 && clean[index - 1].wordClass == .number: small += 1
            case .content where kana < 3 && Self.isKana(word.key): (kana, small) = (kana + 1, small + 1)
            case .light, .content, .unit:
                words += 1
                if word.isNameLike { hasName = true }
            }
            if Self.isAddressed(clean, behind: index) { hasName = true }
            longestRun = max(longestRun, run)
        }
    }

    /// The "I" that a diary leaves out at the start of a sentence, where the raw text has no word instead.
    private static func isSupplied(_ clean: [FidelityWord], _ index: Int, _ alignment: WordAlignment) -> Bool {
        guard writers.contains(clean[index].key), clean[index].opensSentence, index + 1 < clean.count else { return false }
        let before = index > 0 ? alignment.rawOf[index - 1] : -1
        return (index == 0 || before >= 0) && alignment.rawOf[index + 1] == before + 1
    }

    private static let writers: Set<String> = ["i", "ich", "ik", "je", "yo", "eu", "io"]

    /// Whether さん, ちゃん … follows within the same word: what is new is part of a name.
    private static func isAddressed(_ clean: [FidelityWord], behind index: Int) -> Bool {
        guard isKana(clean[index].key) else { return false }
        for start in index + 1...index + 2 {
            for title in titles where start + title.count <= clean.count && zip(title, clean[start...]).allSatisfy({ $0 == $1.key }) {
                return true
            }
        }
        return false
    }

    private static let titles = [["さ", "ん"], ["ち", "ゃ", "ん"], ["く", "ん"], ["さ", "ま"]]

    /// Endings of Japanese verbs are written in it.
    private static func isKana(_ key: String) -> Bool {
        key.unicodeScalars.allSatisfy { (0x3041...0x309F).contains($0.value) }
    }

    var reason: Cleanup.Reason? {
        if hasNumber { return .newNumber }
        if hasNegation { return .newNegation }
        if hasName { return .newName }
        return words > 0 || small > allowed || longestRun > 3 ? .newWords : nil
    }
}
