import DiaryCore

/// Words of an answer's text that its segments lack: servers leave out segments, or cut them short.
enum MissingWords {
    /// Words within which the two are the same again after a difference.
    private static let window = 48

    /// The segments, with what the text has more. Where both have something else, the segments count, unless they have far less.
    static func completed(_ segments: [HeardSegment], by text: String) -> [HeardSegment] {
        let all = tokens(text)
        let heard = segments.enumerated().flatMap { index, segment in
            tokens(segment.text).map { (segment: index, text: $0.text, key: $0.key) }
        }
        guard !all.isEmpty, !heard.isEmpty, all.map(\.key) != heard.map(\.key) else { return segments }
        var found: [Found] = []
        var (i, j) = (0, 0)
        while i < all.count {
            if j < heard.count, all[i].key == heard[j].key {
                (i, j) = (i + 1, j + 1)
                continue
            }
            let (more, less) = difference(all[i...], heard[j...])
            let (letters, others) = (all[i..<i + more].map(\.key).joined(), heard[j..<j + less].map(\.key).joined())
            let isCut = less > 0 && letters.count > others.count && letters.hasPrefix(others)
            if more > 0, less == 0 || isCut || letters.count >= 2 * others.count + 10 {
                found.append(Found(place: j, words: all[i..<i + more].map(\.text), insteadOf: isCut ? less : 0))
            }
            (i, j) = (i + more, j + less)
        }
        return inserted(found, heard, segments)
    }

    private struct Found {
        /// Before which word of the segments.
        var place: Int
        var words: [String]
        /// Words from there on that are the same, cut short.
        var insteadOf: Int
    }

    /// How many words of each there are until both are the same again.
    private static func difference(
        _ all: ArraySlice<(text: String, key: String)>, _ heard: ArraySlice<(segment: Int, text: String, key: String)>
    ) -> (Int, Int) {
        guard !heard.isEmpty else { return (all.count, 0) }
        for total in 1...window {
            for more in stride(from: total, through: 0, by: -1) {
                let less = total - more
                guard more < all.count, less < heard.count else { continue }
                let (a, b) = (all.startIndex + more, heard.startIndex + less)
                // One word alone may be the same by chance.
                if all[a].key == heard[b].key, a + 1 == all.endIndex || b + 1 == heard.endIndex || all[a + 1].key == heard[b + 1].key {
                    return (more, less)
                }
            }
        }
        return (min(window, all.count), min(window, heard.count))
    }

    /// - Parameter heard: the words of the segments.
    private static func inserted(
        _ found: [Found], _ heard: [(segment: Int, text: String, key: String)], _ segments: [HeardSegment]
    ) -> [HeardSegment] {
        var texts: [Int: [String]] = [:]
        var own: [(after: Int, text: String)] = []
        var rest = found[...]
        var skipped = 0
        for (place, word) in heard.enumerated() {
            while let one = rest.first, one.place == place {
                rest.removeFirst()
                if one.insteadOf > 0 {
                    texts[word.segment, default: []] += one.words
                    skipped = place + one.insteadOf
                } else if place == 0 {
                    own.append((-1, one.words.joined(separator: " ")))
                } else {
                    texts[heard[place - 1].segment, default: []] += one.words
                }
            }
            if place >= skipped { texts[word.segment, default: []].append(word.text) }
        }
        if let last = heard.last { own += rest.map { (last.segment, $0.words.joined(separator: " ")) } }
        let changed = Set(
            found.filter { $0.place > 0 || $0.insteadOf > 0 }.flatMap { one in
                [max(0, one.place - 1), min(one.place, heard.count - 1)].map { heard[$0].segment }
            })
        var made: [HeardSegment] = own.filter { $0.after < 0 }.map { HeardSegment(text: $0.text) }
        for (index, segment) in segments.enumerated() {
            var segment = segment
            if changed.contains(index), let text = texts[index] { segment.text = text.joined(separator: " ") }
            made.append(segment)
            made += own.filter { $0.after == index }.map { HeardSegment(text: $0.text) }
        }
        return made
    }

    /// Marks without a letter belong to the word before them.
    private static func tokens(_ text: String) -> [(text: String, key: String)] {
        HeardSegment(text: text).tokens.reduce(into: []) { tokens, token in
            let key = WordKey.of(token)
            if key == token, !token.contains(where: { $0.isLetter || $0.isNumber }), !tokens.isEmpty {
                tokens[tokens.count - 1].text += " " + token
            } else {
                tokens.append((token, key))
            }
        }
    }
}
