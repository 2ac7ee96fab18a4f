/// Changes of words carried over from one text to another that says nearly the same: what the owner corrects in the words as they were heard,
/// in the text that was cleaned from them. Only changed words are replaced; all else of the cleaned text stays, punctuation too.
package enum WordReplacement {
    /// Words in a row without counterparts among which the place of a change can still be told.
    private static let longestGap = 60

    /// - Parameters:
    ///   - old: the words that `text` was made from, as they were.
    ///   - new: the same words, changed.
    /// - Returns: nil where the place of a change cannot be told, or not soon enough.
    package static func text(_ text: String, replacing old: String, by new: String) -> String? {
        let (heard, changed, shown) = (WordList(old), WordList(new), WordList(text))
        let keys = heard.words.map(\.key)
        let shownKeys = shown.words.map(\.key)
        guard let same = WordCounterparts.of(keys, in: shownKeys),
            let unchanged = WordCounterparts.of(heard.words.map(\.text), in: changed.words.map(\.text))
        else { return nil }
        let counterparts = WordCounterparts.withAlike(same, keys, in: shownKeys, gap: longestGap)
        let places = WordPlaces(counterparts, among: shown.words.count)
        let changes = Self.changes(unchanged, to: changed.words.count)
        var edit = TextEdit(shown)
        for (number, change) in changes.enumerated() {
            var words = change.old
            if change.new.isEmpty {
                let before = number > 0 ? changes[number - 1].old.upperBound : 0
                let after = number + 1 < changes.count ? changes[number + 1].old.lowerBound : keys.count
                words = leastKept(words, in: keys, counterparts, within: before..<after)
            }
            guard let range = places.range(of: words, longestGap, isWhole: change.new.isEmpty) else { return nil }
            edit.replace(range, by: changed.text(of: change.new), for: words.first.map { heard.words[$0].text })
        }
        return edit.result
    }

    /// Words that are taken out and stand there twice, as in a stutter: of the two, those that the other text does not have anyway.
    private static func leastKept(
        _ words: Range<Int>, in keys: [Substring], _ counterparts: [Int?], within bounds: Range<Int>
    ) -> Range<Int> {
        func kept(_ place: Int) -> Int { counterparts[place] == nil ? 0 : 1 }
        let all = words.reduce(0) { $0 + kept($1) }
        var least = (words: words, kept: all)
        var at = least
        while at.words.lowerBound > bounds.lowerBound, keys[at.words.lowerBound - 1] == keys[at.words.upperBound - 1] {
            let (first, last) = (at.words.lowerBound - 1, at.words.upperBound - 1)
            at = (first..<last, at.kept + kept(first) - kept(last))
            if at.kept < least.kept { least = at }
        }
        at = (words, all)
        while at.words.upperBound < bounds.upperBound, keys[at.words.lowerBound] == keys[at.words.upperBound] {
            let (first, last) = (at.words.lowerBound, at.words.upperBound)
            at = (first + 1..<last + 1, at.kept + kept(last) - kept(first))
            if at.kept < least.kept { least = at }
        }
        return least.words
    }

    /// What has no counterpart, in order: words of the old text and those that stand in their place.
    private static func changes(_ counterparts: [Int?], to count: Int) -> [(old: Range<Int>, new: Range<Int>)] {
        var changes: [(old: Range<Int>, new: Range<Int>)] = []
        var (old, new) = (0, 0)
        for (place, counterpart) in (counterparts + [count]).enumerated() {
            guard let counterpart else { continue }
            if place > old || counterpart > new { changes.append((old..<place, new..<counterpart)) }
            (old, new) = (place + 1, counterpart + 1)
        }
        return changes
    }
}

/// Where the words of one text stand in another.
private struct WordPlaces {
    /// Of each boundary between words, and both ends: the nearest word before it that has a counterpart, and the boundary after that one.
    private var before: [(word: Int, place: Int)] = []
    /// Likewise the nearest after it, and the boundary before its counterpart.
    private var after: [(word: Int, place: Int)] = []

    init(_ counterparts: [Int?], among count: Int) {
        var last = (word: -1, place: 0)
        before.append(last)
        for (word, place) in counterparts.enumerated() {
            if let place { last = (word, place + 1) }
            before.append(last)
        }
        last = (counterparts.count, count)
        after.append(last)
        for (word, place) in counterparts.enumerated().reversed() {
            if let place { last = (word, place) }
            after.append(last)
        }
        after.reverse()
    }

    /// The words that stand for those of `words`: their counterparts and what is between, and of a stretch without counterparts a share.
    /// - Parameter isWhole: without words that stand for others, too, as what is taken out must be.
    /// - Returns: nil in a stretch that is longer than `longest`.
    func range(of words: Range<Int>, _ longest: Int, isWhole: Bool) -> Range<Int>? {
        let (start, end) = (before[words.lowerBound], after[words.upperBound])
        if words.isEmpty {
            // Behind the word before, which is more often there than not.
            if start.word == words.lowerBound - 1 { return start.place..<start.place }
            if end.word == words.upperBound { return end.place..<end.place }
            return lower(words.lowerBound, longest, Self.down).map { $0..<$0 }
        }
        guard let lower = lower(words.lowerBound, longest, isWhole ? Self.up : Self.down),
            let upper = upper(words.upperBound, longest, isWhole ? Self.down : Self.up)
        else { return nil }
        return min(lower, upper)..<upper
    }

    private static func down(_ number: Int, _ divisor: Int) -> Int { number / divisor }

    private static func up(_ number: Int, _ divisor: Int) -> Int { (number + divisor - 1) / divisor }

    private func lower(_ boundary: Int, _ longest: Int, _ divide: (Int, Int) -> Int) -> Int? {
        let (start, end) = (before[boundary], after[boundary])
        if end.word == boundary, boundary < before.count - 1 { return end.place }
        return share(start, end, boundary, longest, divide)
    }

    private func upper(_ boundary: Int, _ longest: Int, _ divide: (Int, Int) -> Int) -> Int? {
        let (start, end) = (before[boundary], after[boundary])
        if start.word == boundary - 1 { return start.word < 0 ? 0 : start.place }
        return share(start, end, boundary, longest, divide)
    }

    private func share(
        _ start: (word: Int, place: Int), _ end: (word: Int, place: Int), _ boundary: Int, _ longest: Int, _ divide: (Int, Int) -> Int
    ) -> Int? {
        let (words, places) = (end.word - start.word - 1, end.place - start.place)
        guard words > 0 else { return start.place }
        guard words <= longest, places <= longest else { return nil }
        return start.place + divide(places * (boundary - start.word - 1), words)
    }
}

/// A text of which words are replaced, in their order.
private struct TextEdit {
    private let list: WordList
    private var written = ""
    /// What is before it has been written.
    private var copied: String.Index
    /// The first word that can still be replaced.
    private var next = 0

    init(_ list: WordList) {
        self.list = list
        copied = list.text.startIndex
    }

    var result: String { written + list.text[copied...] }

    /// - Parameters:
    ///   - range: of words; an empty one for words that are added.
    ///   - new: empty for words that are taken out.
    ///   - old: the first of the words that `new` is in place of, as it was heard.
    mutating func replace(_ range: Range<Int>, by new: Substring, for old: Substring?) {
        let (text, words) = (list.text, list.words)
        let start = max(range.lowerBound, next)
        let end = max(range.upperBound, start)
        next = end
        if start < end, !new.isEmpty {
            copy(to: words[start].range.lowerBound)
            written += Self.cased(new, as: words[start].text, for: old)
            copied = words[end - 1].range.upperBound
        } else if start < end, start > 0 {
            // With what separates them from the word before.
            copy(to: words[start - 1].range.upperBound)
            copied = words[end - 1].range.upperBound
        } else if start < end {
            copied = end < words.count ? words[end].range.lowerBound : text.endIndex
        } else if !new.isEmpty, start > 0 {
            copy(to: words[start - 1].range.upperBound)
            if !WordList.areJoined(words[start - 1].text, new) { written += " " }
            written += new
        } else if !new.isEmpty {
            copy(to: words.first?.range.lowerBound ?? text.endIndex)
            written += new
            if let first = words.first, !WordList.areJoined(new, first.text) { written += " " }
        }
    }

    private mutating func copy(to place: String.Index) {
        guard place > copied else { return }
        written += list.text[copied..<place]
        copied = place
    }

    /// A word that began with a capital letter where it was heard with a small one, as at the start of a sentence, still does.
    private static func cased(_ new: Substring, as shown: Substring, for old: Substring?) -> Substring {
        guard shown.first?.isUppercase == true, old?.first?.isLowercase == true, let first = new.first, first.isLowercase else {
            return new
        }
        return Substring(first.uppercased()) + new.dropFirst()
    }
}
