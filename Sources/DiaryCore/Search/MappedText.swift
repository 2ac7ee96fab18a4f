/// A text with the places of its folded words in it, for the few texts that are shown. It keeps the folded bytes, and of few characters where
/// they stand; the others are worked out when they are asked for: an imported text may have millions.
struct MappedText {
    let text: String
    private let bytes: [UInt8]
    private let marks: [Mark]
    private let table: FoldTable

    private struct Mark {
        let index: String.Index
        /// How many folded bytes stand before it.
        let byte: Int
    }

    /// A piece of the text.
    struct Excerpt {
        let range: Range<String.Index>
        /// Those that its characters became.
        let bytes: Range<Int>
        /// The character that each of these comes from.
        fileprivate let sources: [String.Index]
    }

    struct Place {
        /// Of the space before its first word.
        let byte: Int
        let range: Range<String.Index>
    }

    /// Characters from one mark to the next.
    private static let spacing = 128
    /// Characters of a place; a longer one, such as two words with a thousand spaces between them, is cut.
    static let longest = 800

    init(_ text: String, by table: inout FoldTable) {
        var bytes = [FoldedText.space]
        bytes.reserveCapacity(text.utf8.count + 2)
        var marks: [Mark] = []
        var untilMark = 0
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            if untilMark == 0 {
                marks.append(Mark(index: index, byte: bytes.count))
                untilMark = Self.spacing
            }
            untilMark -= 1
            for place in table.known(scalars[index]) {
                let byte = table.bytes[place]
                if byte != FoldedText.space || bytes.last != FoldedText.space { bytes.append(byte) }
            }
        }
        if bytes.last != FoldedText.space { bytes.append(FoldedText.space) }
        self.text = text
        self.bytes = bytes
        self.marks = marks
        self.table = table
    }

    func first(_ term: SearchTerm) -> Place? { found(term, from: 0).map { place(of: term, at: $0) } }

    /// The first place of a term that is in none of the excerpts, not even a part of it.
    func first(_ term: SearchTerm, outside excerpts: [Excerpt]) -> Place? {
        var from = 0
        while let at = found(term, from: from) {
            let letters = term.letters(at: at)
            guard let excerpt = excerpts.first(where: { $0.bytes.overlaps(letters) }) else { return place(of: term, at: at) }
            from = max(at + 1, excerpt.bytes.upperBound - 1)
        }
        return nil
    }

    /// The places of a term that an excerpt holds, in order.
    func places(of term: SearchTerm, in excerpt: Excerpt) -> [Place] {
        var places: [Place] = []
        var from = excerpt.bytes.lowerBound - 1
        let end = min(bytes.count, excerpt.bytes.upperBound + term.bytes.count)
        while let at = term.first(in: bytes.span, from: from, to: end) {
            let letters = term.letters(at: at)
            guard letters.lowerBound < excerpt.bytes.upperBound else { break }
            let (first, last) = (letters.lowerBound - excerpt.bytes.lowerBound, letters.upperBound - 1 - excerpt.bytes.lowerBound)
            let behind = last >= excerpt.sources.count
            let range = range(excerpt.sources[first], behind ? source(of: letters.upperBound - 1) : excerpt.sources[last])
            if range.upperBound <= excerpt.range.upperBound { places.append(Place(byte: at, range: range)) }
            from = at + 1
        }
        return places
    }

    /// How many places of a term begin before a folded byte.
    func count(of term: SearchTerm, before byte: Int) -> Int {
        var (count, from) = (0, 0)
        while let at = found(term, from: from), at < byte {
            count += 1
            from = at + 1
        }
        return count
    }

    /// Where a term stands for the time of this number, from 0, or for the last time.
    func start(of term: SearchTerm, number: Int) -> String.Index? {
        var (last, count, from): (Int?, Int, Int) = (nil, 0, 0)
        while count <= number, let at = found(term, from: from) {
            last = at
            count += 1
            from = at + 1
        }
        return last.map { source(of: $0 + 1) }
    }

    func excerpt(_ range: Range<String.Index>) -> Excerpt {
        var sources: [String.Index] = []
        var start: Int?
        let mark = mark { $0.index <= range.lowerBound }
        var end = mark.byte
        scan(from: mark) { index, made in
            guard index < range.upperBound else { return false }
            if index >= range.lowerBound {
                if start == nil { start = made.lowerBound }
                sources += repeatElement(index, count: made.count)
            }
            end = made.upperBound
            return true
        }
        return Excerpt(range: range, bytes: (start ?? end)..<end, sources: sources)
    }

    private func found(_ term: SearchTerm, from byte: Int) -> Int? { term.first(in: bytes.span, from: byte, to: bytes.count) }

    private func place(of term: SearchTerm, at byte: Int) -> Place {
        let letters = term.letters(at: byte)
        return Place(byte: byte, range: range(source(of: letters.lowerBound), source(of: letters.upperBound - 1)))
    }

    /// From a character to another. A letter's accents belong to it.
    private func range(_ first: String.Index, _ last: String.Index) -> Range<String.Index> {
        let scalars = text.unicodeScalars
        let limit = scalars.index(first, offsetBy: Self.longest, limitedBy: scalars.endIndex) ?? scalars.endIndex
        guard last < limit else { return first..<limit }
        var end = scalars.index(after: last)
        // Such as combining accents.
        while end < limit, folded(scalars[end]).isEmpty { end = scalars.index(after: end) }
        return first..<end
    }

    private func folded(_ scalar: Unicode.Scalar) -> Range<Int> { table.range(of: scalar.value) ?? 0..<0 }

    /// The character that a folded byte comes from.
    private func source(of byte: Int) -> String.Index {
        var source = text.startIndex
        scan(from: mark { $0.byte <= byte }) { index, made in
            source = index
            return made.upperBound <= byte
        }
        return source
    }

    /// Goes on from character to character, with the folded bytes that each has become.
    private func scan(from mark: Mark, _ goesOn: (String.Index, Range<Int>) -> Bool) {
        let scalars = text.unicodeScalars
        var (index, byte) = (mark.index, mark.byte)
        while index < scalars.endIndex {
            let start = byte
            for place in folded(scalars[index]) where table.bytes[place] != FoldedText.space || bytes[byte - 1] != FoldedText.space {
                byte += 1
            }
            guard goesOn(index, start..<byte) else { return }
            index = scalars.index(after: index)
        }
    }

    /// The last one that `isBefore` holds for; the first one, if it holds for none.
    private func mark(_ isBefore: (Mark) -> Bool) -> Mark {
        var (low, high) = (0, marks.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if isBefore(marks[middle]) { low = middle } else { high = middle }
        }
        return marks.isEmpty ? Mark(index: text.startIndex, byte: 1) : marks[low]
    }
}
