/// A long text in pieces that a language model takes at once, each ending with a sentence where there is one.
struct TextPieces: Sendable {
    struct Piece: Sendable, Equatable {
        var text: String
        var endsSentence = true
        /// A blank line followed it.
        var endsParagraph = false
        /// Nothing stood between it and the next: scripts without spaces.
        var touchesNext = false
    }

    /// Characters of a piece.
    static let length = 6_000

    private(set) var pieces: [Piece] = []

    /// - Parameter length: characters, at least 2.
    init(_ text: String, length: Int = TextPieces.length) {
        let characters = Array(text)
        var start = Self.skipSpace(characters, 0)
        while start < characters.count {
            let end = characters.count - start <= length ? characters.count : Self.end(characters, start, length)
            let next = Self.skipSpace(characters, end)
            var last = end
            while last > start, characters[last - 1].isWhitespace { last -= 1 }
            // The space that was left out on both sides of the border.
            let between = characters[last..<next]
            pieces.append(
                Piece(
                    text: String(characters[start..<last]),
                    endsSentence: end == characters.count || Self.rank(characters, end) >= Self.sentence,
                    endsParagraph: between.count(where: \.isNewline) > 1,
                    touchesNext: between.isEmpty && next < characters.count))
            start = next
        }
    }

    /// The cleaned pieces as one text: in paragraphs where the raw text or the pieces have them.
    func joined(_ cleaned: [String]) -> String {
        let hasParagraphs = cleaned.contains { $0.contains("\n\n") }
        var text = ""
        for (index, part) in cleaned.enumerated() {
            let part = Self.trimmed(part)
            guard !part.isEmpty else { continue }
            if !text.isEmpty, index > 0, index - 1 < pieces.count {
                let border = pieces[index - 1]
                text += border.endsParagraph || (hasParagraphs && border.endsSentence) ? "\n\n" : border.touchesNext ? "" : " "
            }
            text += part
        }
        return text
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    private static func skipSpace(_ characters: [Character], _ from: Int) -> Int {
        var at = from
        while at < characters.count, characters[at].isWhitespace { at += 1 }
        return at
    }

    /// Behind the last character of a piece that begins at `start`: the best border in its second half.
    private static func end(_ characters: [Character], _ start: Int, _ length: Int) -> Int {
        let limit = start + length
        let first = start + max(1, length / 2)
        var best = (rank: 0, at: limit)
        for at in stride(from: limit, through: first, by: -1) {
            let rank = rank(characters, at)
            if rank > best.rank { best = (rank, at) }
            if rank == paragraph { break }
        }
        return best.at
    }

    private static let sentence = 4
    private static let paragraph = 5

    /// How well a piece ends before the character at `at`.
    private static func rank(_ characters: [Character], _ at: Int) -> Int {
        guard at > 0, at < characters.count else { return 0 }
        let (before, after) = (characters[at - 1], characters[at])
        var end = at - 1
        while end > 0, at - end < 5, closing.contains(characters[end]) { end -= 1 }
        if wideEnds.contains(characters[end]), !closing.contains(after), !wideEnds.contains(after) { return sentence }
        guard after.isWhitespace else {
            return wideCommas.contains(before) ? 2 : 0
        }
        if after.isNewline { return at + 1 < characters.count && characters[at + 1].isNewline ? paragraph : sentence }
        if ends.contains(characters[end]) { return sentence }
        return commas.contains(before) ? 3 : 1
    }

    private static let ends: Set<Character> = [".", "!", "?", "…", "؟", "۔", "।", "。", "！", "？"]
    /// Sentences end here without a blank.
    private static let wideEnds: Set<Character> = ["。", "！", "？", "｡", "؟", "۔", "।"]
    private static let commas: Set<Character> = [",", ";", ":", "–", "—"]
    private static let wideCommas: Set<Character> = ["，", "、", "；", "："]
    private static let closing: Set<Character> = ["\"", "'", "”", "’", "»", "«", ")", "]", "」", "』", "）"]
}
