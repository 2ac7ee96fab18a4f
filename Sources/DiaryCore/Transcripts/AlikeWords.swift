extension WordCounterparts {
    /// Also those words between counterparts that begin alike, as `hous` and `house`: a cleaner has mended them.
    /// - Parameter longest: between two counterparts, in words; longer gaps are left.
    static func withAlike(_ found: [Int?], _ old: [Substring], in new: [Substring], gap longest: Int) -> [Int?] {
        var all = found
        // Where the gap begins in each of the texts.
        var (word, place) = (0, 0)
        for (end, counterpart) in (found + [new.count]).enumerated() {
            guard let counterpart else { continue }
            if end - word <= longest, counterpart - place <= longest {
                for other in place..<counterpart {
                    guard let alike = (word..<end).first(where: { areAlike(old[$0], new[other]) }) else { continue }
                    all[alike] = other
                    word = alike + 1
                }
            }
            (word, place) = (end + 1, counterpart + 1)
        }
        return all
    }

    /// Three letters, and half of the longer word.
    private static func areAlike(_ first: Substring, _ second: Substring) -> Bool {
        // Longer ones are no words that a cleaner mends.
        guard first.utf8.count <= 100, second.utf8.count <= 100 else { return false }
        let same = zip(first.unicodeScalars, second.unicodeScalars).prefix { $0.0 == $0.1 }.count
        return same >= 3 && same * 2 >= max(first.unicodeScalars.count, second.unicodeScalars.count)
    }
}
