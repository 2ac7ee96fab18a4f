/// The words of a text with their places. A letter of a script without spaces is a word of its own.
struct WordList {
    struct Word {
        var range: Range<String.Index>
        var text: Substring
        /// As words are compared where case does not matter.
        var key: Substring
    }

    let text: String
    private(set) var words: [Word] = []

    init(_ text: String) {
        self.text = text
        let scalars = text.unicodeScalars
        var start: String.Index?
        var at = scalars.startIndex
        while at < scalars.endIndex {
            let scalar = scalars[at]
            let next = scalars.index(after: at)
            let isMark = Self.isMark(scalar)
            if Self.isUnspaced(scalar), !isMark {
                if let begun = start { add(begun..<at) }
                start = at
                // Its marks belong to it.
                var end = next
                while end < scalars.endIndex, Self.isMark(scalars[end]) { end = scalars.index(after: end) }
                add(at..<end)
                (start, at) = (nil, end)
                continue
            }
            let joins = start != nil && Self.isApostrophe(scalar) && next < scalars.endIndex && Self.isLetter(scalars[next])
            if Self.isLetter(scalar) || isMark && start != nil || joins {
                if start == nil { start = at }
            } else if let begun = start {
                add(begun..<at)
                start = nil
            }
            at = next
        }
        if let begun = start { add(begun..<scalars.endIndex) }
    }

    /// From the first of them to the last, with what is between.
    func text(of range: Range<Int>) -> Substring {
        guard let first = range.first, let last = range.last else { return "" }
        return text[words[first].range.lowerBound..<words[last].range.upperBound]
    }

    /// Whether no space is between the two.
    static func areJoined(_ first: Substring, _ second: Substring) -> Bool {
        guard let last = first.unicodeScalars.last, let next = second.unicodeScalars.first else { return false }
        return isUnspaced(last) && isUnspaced(next)
    }

    private mutating func add(_ range: Range<String.Index>) {
        let word = text[range]
        var key = word.lowercased()
        if !key.utf8.allSatisfy({ $0 < 0x80 }) { key = key.replacing("\u{2019}", with: "'") }
        words.append(Word(range: range, text: word, key: Substring(key)))
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": true
            default: false
            }
        }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "\u{2019}" }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Thai, Lao, Burmese, Khmer, Japanese, Chinese.
    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}

/// Which words of two texts are the same, found from words that occur once in both (patience diff).
enum WordCounterparts {
    /// How often each word may be looked at. A few times do for texts that say nearly the same; where each look finds one word only, it would
    /// be as often as there are words.
    private static let looks = 50
    /// Of all words together.
    private static let mostLooks = 10_000_000

    /// - Returns: for each of `old` its place in `new`, in ascending order; nil without one. nil where finding them would take too long.
    static func of(_ old: [Substring], in new: [Substring]) -> [Int?]? {
        var numbers: [Substring: Int] = [:]
        func numbered(_ words: [Substring]) -> [Int] {
            words.map { word in
                if let number = numbers[word] { return number }
                let number = numbers.count
                numbers[word] = number
                return number
            }
        }
        let (old, new) = (numbered(old), numbered(new))
        var found = [Int?](repeating: nil, count: old.count)
        var left = min(Self.looks * (old.count + new.count), Self.mostLooks)
        var open = [(old.indices, new.indices)]
        while var (a, b) = open.popLast() {
            while let x = a.first, let y = b.first, old[x] == new[y] {
                found[x] = y
                (a, b) = (a.dropFirst(), b.dropFirst())
            }
            while let x = a.last, let y = b.last, old[x] == new[y] {
                found[x] = y
                (a, b) = (a.dropLast(), b.dropLast())
            }
            guard !a.isEmpty, !b.isEmpty else { continue }
            left -= a.count + b.count
            guard left >= 0 else { return nil }
            let common = ascending(unique(old, a, new, b))
            guard !common.isEmpty else { continue }
            var (x, y) = (a.lowerBound, b.lowerBound)
            for pair in common {
                found[pair.old] = pair.new
                open.append((x..<pair.old, y..<pair.new))
                (x, y) = (pair.old + 1, pair.new + 1)
            }
            open.append((x..<a.upperBound, y..<b.upperBound))
        }
        return found
    }

    /// Places of words that occur once in both, in the order of the old ones.
    private static func unique(_ old: [Int], _ a: Range<Int>, _ new: [Int], _ b: Range<Int>) -> [(old: Int, new: Int)] {
        guard !a.isEmpty, !b.isEmpty else { return [] }
        // nil: more than once.
        var (inOld, inNew): ([Int: Int?], [Int: Int?]) = ([:], [:])
        for place in a { inOld.updateValue(inOld.keys.contains(old[place]) ? nil : place, forKey: old[place]) }
        for place in b { inNew.updateValue(inNew.keys.contains(new[place]) ? nil : place, forKey: new[place]) }
        return a.compactMap { place in
            guard case .some(.some) = inOld[old[place]], case .some(.some(let other)) = inNew[old[place]] else { return nil }
            return (old: place, new: other)
        }
    }

    /// The longest part of the pairs in which the new places ascend, too.
    private static func ascending(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        // Of each length the pair that ends such a part with the least new place, and of each pair the one before it.
        var (ends, previous): ([Int], [Int?]) = ([], [])
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pair.new { low = middle + 1 } else { high = middle }
            }
            previous.append(low > 0 ? ends[low - 1] : nil)
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var (found, at): ([(old: Int, new: Int)], Int?) = ([], ends.last)
        while let index = at {
            found.append(pairs[index])
            at = previous[index]
        }
        return found.reversed()
    }
}
