import DiaryCore

/// Words of an answer's text that its segments lack: servers leave out segments, or cut them short.
enum MissingWords {
    /// Words within which the two are the same again after a difference.
    private static let window = 48

    /// The segments, with what the text has more. Where both have something else, the segments count, unless they have far less.
    static func completed(_ segments: [HeardSegment], by text: String) -> [HeardSegment] {
        let all = tokens(text)
        let heard = segments.enumerated().flatMap { index, segment in tokens(segment.text).map { (segment: index, key: $0.key) } }
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
        return inserted(found, heard.map(\.segment), segments)
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
        _ all: ArraySlice<(text: String, key: String)>, _ heard: ArraySlice<(segment: Int, key: String)>
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

    /// - Parameter owners: the segment of each word.
    private static func inserted(_ found: [Found], _ owners: [Int], _ segments: [HeardSegment]) -> [HeardSegment] {
        var segments = segments
        // From the end, so that places stay.
        for one in found.reversed() {
            let (place, text) = (one.place, one.words.joined(separator: " "))
            if one.insteadOf > 0 {
                for word in (place..<place + one.insteadOf).reversed() {
                    let owner = owners[word]
                    var own = tokens(segments[owner].text).map(\.text)
                    let inside = word - (owners.firstIndex(of: owner) ?? 0)
                    guard own.indices.contains(inside) else { continue }
                    if word == place { own[inside] = text } else { own.remove(at: inside) }
                    segments[owner].text = own.joined(separator: " ")
                }
            } else if place == 0 {
                segments.insert(HeardSegment(text: text), at: owners[0])
            } else if place == owners.count {
                segments.insert(HeardSegment(text: text), at: owners[place - 1] + 1)
            } else {
                let owner = owners[place - 1]
                let inside = place - (owners.firstIndex(of: owner) ?? 0)
                var own = tokens(segments[owner].text).map(\.text)
                own.insert(text, at: min(inside, own.count))
                segments[owner].text = own.joined(separator: " ")
            }
        }
        return segments
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
