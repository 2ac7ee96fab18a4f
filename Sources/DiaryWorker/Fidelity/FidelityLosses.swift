import DiaryCore

/// Words of the raw text that the cleaned one lacks, without those that may go: fillers, repeats, false starts, what was taken back.
struct FidelityLosses {
    private(set) var kept = 0
    /// In halves of a word: small words count half.
    private(set) var weight = 0
    private(set) var hasNumber = false
    private(set) var hasNegation = false
    private var words = 0
    private var small = 0
    /// Words without a counterpart in between.
    private var longestRun = 0
    private var longestGap = 0
    private var hasLostSentence = false
    private let allowed: (words: Int, small: Int, run: Int)
    private let gapAllowed: Int

    init(_ raw: [FidelityWord], _ ids: [Int32], _ alignment: WordAlignment, _ language: LanguageWords) {
        let free = Self.free(raw, ids, alignment, language)
        hasLostSentence = Self.hasLostSentence(raw, alignment, free)
        var (all, allSmall, run, gap) = (0, 0, 0, 0)
        for (index, word) in raw.enumerated() {
            let isContent = word.wordClass == .content
            if alignment.cleanOf[index] >= 0 {
                kept += 1
                (run, gap) = (0, 0)
            }
            if free[index] { continue }
            if isContent { all += 1 } else { allSmall += 1 }
            guard alignment.cleanOf[index] < 0 else { continue }
            weight += isContent ? 2 : 1
            gap += 1
            switch word.wordClass {
            case .number: hasNumber = true
            case .negation: hasNegation = true
            case .neutral, .light, .unit: small += 1
            case .content:
                // A name that is gone is worse than another word; in German every noun looks like one.
                words += word.isNameLike && language.code != "de" ? 2 : 1
                run += 1
            }
            longestRun = max(longestRun, run)
            if run > 0 || gap > 5 { longestGap = max(longestGap, gap) }
        }
        let isUnspaced = language.code == "zh"
        let share = language.code == "und" ? 8 : 16
        allowed = (max(all < 8 ? 1 : isUnspaced ? 4 : 2, all / share), max(4, allSmall / 4), isUnspaced ? 5 : 2)
        gapAllowed = isUnspaced ? 8 : 3
    }

    var reason: Cleanup.Reason? {
        if hasNumber { return .lostNumber }
        if hasNegation { return .lostNegation }
        if hasLostSentence { return .lostWords }
        return words > allowed.words || small > allowed.small || longestRun > allowed.run || longestGap > gapAllowed ? .lostWords : nil
    }

    /// Whether of a sentence with two words that matter not one word is left.
    private static func hasLostSentence(_ raw: [FidelityWord], _ alignment: WordAlignment, _ free: [Bool]) -> Bool {
        var (content, isLeft) = (0, false)
        for (index, word) in raw.enumerated() {
            if word.opensSentence {
                if content > 1, !isLeft { return true }
                (content, isLeft) = (0, false)
            }
            if alignment.cleanOf[index] >= 0 { isLeft = true }
            if word.wordClass == .content, !free[index] { content += 1 }
        }
        return content > 1 && !isLeft
    }

    /// Words that are missing and may be.
    private static func free(_ raw: [FidelityWord], _ ids: [Int32], _ alignment: WordAlignment, _ language: LanguageWords) -> [Bool] {
        var free = [Bool](repeating: false, count: raw.count)
        func isGone(_ index: Int) -> Bool { alignment.cleanOf[index] < 0 }

        for index in raw.indices where isGone(index) {
            for phrase in language.fillers[raw[index].key] ?? [] where matches(phrase, raw, index) {
                let range = index..<index + phrase.count
                if range.allSatisfy(isGone) {
                    for one in range { free[one] = true }
                    break
                }
            }
        }
        let rest = raw.indices.filter { !free[$0] }
        let again = RepeatedPhrases(rest.map { ids[$0] }).again(rest.map { !isGone($0) })
        var (runStart, runEnd) = (0, 0)
        for (place, index) in rest.enumerated() where isGone(index) {
            if place >= runEnd {
                (runStart, runEnd) = (place, place)
                while runEnd < rest.count, isGone(rest[runEnd]) { runEnd += 1 }
            }
            // Of a phrase with a negation or a number one whole copy must be missing, not a word of each.
            let isBinding = raw[index].wordClass == .negation || raw[index].wordClass == .number
            let most = isBinding ? min(runEnd - runStart, RepeatedPhrases.longest) : RepeatedPhrases.longest
            if again[place] & (UInt32(2) << UInt32(most) - 1) != 0 { free[index] = true }
            if place + 1 < rest.count, stammers(raw[index], raw[rest[place + 1]]) { free[index] = true }
        }
        var start = 0
        while start < raw.count {
            guard isGone(start) else {
                start += 1
                continue
            }
            var end = start
            while end < raw.count, isGone(end) { end += 1 }
            takeBack(start..<end, raw, language, &free)
            correctNumber(start..<end, raw, &free)
            restart(start..<end, raw, ids, alignment, &free)
            saidLater(start..<end, raw, ids, &free)
            start = end
        }
        return free
    }

    private static func matches(_ phrase: [String], _ raw: [FidelityWord], _ index: Int) -> Bool {
        index + phrase.count <= raw.count && zip(phrase, raw[index...]).allSatisfy { $0 == $1.key }
    }

    /// "s s sister", "b but".
    private static func stammers(_ word: FidelityWord, _ next: FidelityWord) -> Bool {
        word.wordClass != .negation && word.number == nil && word.key.count <= 3 && word.key.count < next.key.count
            && next.key.hasPrefix(word.key)
    }

    /// "on the twenty-first, no, the twenty-second": a number is taken back by a bare "no" before another one.
    private static func correctNumber(_ run: Range<Int>, _ raw: [FidelityWord], _ free: inout [Bool]) {
        for index in run.dropFirst() where bareDenials.contains(raw[index].key) {
            let start = max(run.lowerBound, index - 3)
            guard raw[start..<index].contains(where: { $0.number != nil }) else { continue }
            guard raw[index...].dropFirst().prefix(3).contains(where: { $0.number != nil }) else { continue }
            for one in start...index { free[one] = true }
            return
        }
    }

    private static let bareDenials: Set<String> = ["no", "nein", "nee", "non", "nao", "nie", "нет", "いや"]

    /// "at three, no wait, at four": the words before the marker were taken back.
    private static func takeBack(_ run: Range<Int>, _ raw: [FidelityWord], _ language: LanguageWords, _ free: inout [Bool]) {
        for index in run.dropFirst() {
            for phrase in language.repairs[raw[index].key] ?? [] where matches(phrase, raw, index) && index + phrase.count <= run.upperBound
            {
                for one in max(run.lowerBound, index - 4)..<index + phrase.count { free[one] = true }
                return
            }
        }
    }

    /// "I have to call the, tomorrow I have to call the bank": the whole phrase is said again after a word or two.
    private static func saidLater(_ run: Range<Int>, _ raw: [FidelityWord], _ ids: [Int32], _ free: inout [Bool]) {
        guard run.count > 1 else { return }
        for later in [run.upperBound + 1, run.upperBound + 2] where later + run.count <= raw.count {
            guard ids[run] == ids[later..<later + run.count] else { continue }
            for index in run { free[index] = true }
        }
    }

    /// "I was going, I was walking": begun again with the same word.
    private static func restart(_ run: Range<Int>, _ raw: [FidelityWord], _ ids: [Int32], _ alignment: WordAlignment, _ free: inout [Bool])
    {
        let (start, end) = (run.lowerBound, run.upperBound)
        guard run.count <= 5, end < raw.count, start > 0 || ids[start] == ids[end] else { return }
        guard ids[start] == ids[end] || ids[end - 1] == ids[start - 1] else { return }
        guard raw[run].count(where: { $0.wordClass == .content }) <= 2 else { return }
        let isDeniedAgain = raw[end...].prefix(run.count + 2).contains { $0.wordClass == .negation }
        for index in run where raw[index].wordClass != .number && (raw[index].wordClass != .negation || isDeniedAgain) {
            free[index] = true
        }
    }
}
