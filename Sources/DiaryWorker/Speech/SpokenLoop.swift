/// Finds passages that are repeated several times in a row.
enum SpokenLoop {
    struct Run: Equatable {
        var start: Int
        /// Length of the passage.
        var period: Int
        /// How many whole repetitions there are.
        var count: Int
    }

    /// In order, without overlaps; of several readings the shortest passage. Empty keys are no words and end a run.
    /// - Parameter leastTimes: for a passage of this length.
    static func runs(_ keys: [String], longest: Int, leastTimes: (Int) -> Int) -> [Run] {
        var runs: [Run] = []
        var start = 0
        while start < keys.count {
            var found: Run?
            for period in 1...max(1, longest) where start + period * leastTimes(period) <= keys.count {
                var end = start + period
                while end < keys.count, !keys[end].isEmpty, keys[end] == keys[end - period] { end += 1 }
                let count = (end - start) / period
                if count >= leastTimes(period), !keys[start..<start + period].contains("") {
                    found = Run(start: start, period: period, count: count)
                    break
                }
            }
            if let found { runs.append(found) }
            start += found.map { $0.period * $0.count } ?? 1
        }
        return runs
    }

    /// A text without spaces that says the same five times or more, once: scripts without spaces have whole sentences in a word.
    /// - Returns: nil when it does not, or is shorter than 20 characters.
    static func once(_ text: String) -> String? {
        let characters = Array(text)
        guard characters.count >= 20 else { return nil }
        // The prefix function of Knuth, Morris and Pratt, in linear time: the engine's answer decides how long a word is. Each entry is the
        // length of the longest border up to there: the shortest period is what the last one leaves of the text.
        var borders = [0]
        borders.reserveCapacity(characters.count)
        var border = 0
        for character in characters.dropFirst() {
            while border > 0, characters[border] != character { border = borders[border - 1] }
            if characters[border] == character { border += 1 }
            borders.append(border)
        }
        let period = characters.count - border
        return period <= characters.count / 5 ? String(characters.prefix(period)) : nil
    }
}
