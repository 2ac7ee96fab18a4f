/// What a search looks for: words and phrases that must all be found (docs/search.md).
package struct SearchWords: Sendable {
    /// Unicode code points of a query.
    package static let longest = 200

    /// Each once.
    let terms: [SearchTerm]

    /// - Returns: nil for a query without a word.
    package init?(_ query: String) {
        var terms: [SearchTerm] = []
        for part in Self.parts(of: query) {
            guard let term = SearchTerm(part.text, isWhole: part.isWhole), !terms.contains(term) else { continue }
            terms.append(term)
        }
        guard !terms.isEmpty else { return nil }
        self.terms = terms
    }

    private static let quotes = Set("\"“”„«»".unicodeScalars)

    /// Between quotation marks, and outside of them between white space.
    private static func parts(of query: String) -> [(text: String, isWhole: Bool)] {
        var parts: [(text: String, isWhole: Bool)] = []
        var part = String.UnicodeScalarView()
        var isQuoted = false
        func end(isWhole: Bool) {
            parts.append((String(part), isWhole))
            part = String.UnicodeScalarView()
        }
        for scalar in query.unicodeScalars {
            if quotes.contains(scalar) {
                end(isWhole: isQuoted)
                isQuoted.toggle()
            } else if !isQuoted, separates(scalar) {
                end(isWhole: false)
            } else {
                part.append(scalar)
            }
        }
        // A phrase that is still being typed.
        end(isWhole: false)
        return parts
    }

    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control: true
        default: false
        }
    }
}

/// Words that stand one behind the other in a text. The last may be the beginning of a longer one, unless it `isWhole`.
struct SearchTerm: Sendable, Equatable {
    /// As in a `FoldedText`: a space before and between the words, and one behind them when the last is whole.
    let bytes: [UInt8]
    let isWhole: Bool
    /// How far the search may go on after a byte at its end (Horspool's algorithm).
    private let steps: [Int]

    /// - Returns: nil for a text without a word.
    init?(_ text: String, isWhole: Bool) {
        var folded = FoldedText()
        folded.read(text)
        let words = folded.bytes
        guard words.count > 1 else { return nil }
        let bytes = Array(isWhole ? words[...] : words.dropLast())
        var steps = [Int](repeating: bytes.count, count: 256)
        for (place, byte) in bytes.dropLast().enumerated() { steps[Int(byte)] = bytes.count - 1 - place }
        self.bytes = bytes
        self.isWhole = isWhole
        self.steps = steps
    }

    /// The bytes of its first letter to its last, where it stands at a place in a text.
    func letters(at place: Int) -> Range<Int> { place + 1..<place + bytes.count - (isWhole ? 1 : 0) }

    /// The first place in `text[from..<end]`.
    func first(in text: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        let wanted = bytes.span
        let steps = steps.span
        let last = wanted.count - 1
        var at = start
        while at + last < end {
            let byte = text[at + last]
            if byte == wanted[last] {
                var place = 0
                while place < last, text[at + place] == wanted[place] { place += 1 }
                if place == last { return at }
            }
            at += steps[Int(byte)]
        }
        return nil
    }
}
