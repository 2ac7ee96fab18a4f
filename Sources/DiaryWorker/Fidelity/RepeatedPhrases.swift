/// Where a text says the same words again at once: "we went we went", "the the".
struct RepeatedPhrases {
    /// The longest phrase, in words.
    static let longest = 24

    /// Bit `p`: the word is said again `p` words later, as part of a phrase of `p` words that is.
    private var later: [UInt32]

    init(_ ids: [Int32]) {
        later = Array(repeating: 0, count: ids.count)
        for period in 1...Self.longest where period < ids.count {
            var start = 0
            while start + period < ids.count {
                var end = start
                while end + period < ids.count, ids[end] == ids[end + period] { end += 1 }
                if end - start >= period {
                    for index in start..<end { later[index] |= 1 << UInt32(period) }
                }
                start = end + 1
            }
        }
    }

    /// For each word, bit `p`: another one that is kept says the same, some times `p` words away, in phrases of `p` words.
    func again(_ isKept: [Bool]) -> [UInt32] {
        var again = [UInt32](repeating: 0, count: later.count)
        for period in 1...Self.longest where period < later.count {
            let bit = UInt32(1) << UInt32(period)
            var reaches = [Bool](repeating: false, count: later.count)
            for index in (0..<later.count - period).reversed() where later[index] & bit != 0 {
                reaches[index] = isKept[index + period] || reaches[index + period]
                if reaches[index] { again[index] |= bit }
            }
            reaches = [Bool](repeating: false, count: later.count)
            for index in period..<later.count where later[index - period] & bit != 0 {
                reaches[index] = isKept[index - period] || reaches[index - period]
                if reaches[index] { again[index] |= bit }
            }
        }
        return again
    }
}
