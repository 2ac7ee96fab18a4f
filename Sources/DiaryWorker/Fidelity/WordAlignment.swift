/// Which words of the cleaned text stand for which of the raw one, in their order.
///
/// The least costly alignment within a window that moves along both texts: time grows with their length, memory with the window alone.
/// A passage longer than the window that has no counterpart ends the comparison as well as an exact alignment would: it is lost, or new.
struct WordAlignment {
    /// Words of each text that are compared at once.
    static let window = 256
    /// With so many new words a text is refused whatever follows, which is not compared then.
    private static let mostUnmatched = 256

    /// For each raw word the clean one, -1 without.
    var cleanOf: [Int]
    /// For each clean word the raw one, -1 without.
    var rawOf: [Int]

    private enum Step: UInt8 {
        case none, same, drop, insert, joinRaw, joinClean
    }

    init(_ raw: Sequence, _ clean: Sequence, _ numbered: inout NumberedWords) {
        cleanOf = Array(repeating: -1, count: raw.ids.count)
        rawOf = Array(repeating: -1, count: clean.ids.count)
        let width = Self.window + 1
        var steps = [Step](repeating: .none, count: width * width)
        var costs = [Int32](repeating: 0, count: width * width)
        var (rawStart, cleanStart, unmatched) = (0, 0, 0)
        while rawStart < raw.ids.count, cleanStart < clean.ids.count, unmatched < Self.mostUnmatched {
            let rows = min(Self.window, raw.ids.count - rawStart)
            let columns = min(Self.window, clean.ids.count - cleanStart)
            fill(raw, clean, rawStart, cleanStart, rows, columns, &numbered, &steps, &costs)
            let isLast = (rawStart + rows == raw.ids.count, cleanStart + columns == clean.ids.count)
            let end = Self.end(rows, columns, isLast, costs)
            let taken = commit(rawStart, cleanStart, rows, columns, end, isLast, steps)
            unmatched += rawOf[cleanStart..<cleanStart + taken.clean].count { $0 < 0 }
            rawStart += taken.raw
            cleanStart += taken.clean
        }
    }

    /// The words of a text as numbers, and what it costs to leave one out.
    struct Sequence {
        var ids: [Int32]
        var costs: [Int32]
        /// The number of this word and the next written as one, -1 for none.
        var joined: [Int32]
    }

    private func fill(
        _ raw: Sequence, _ clean: Sequence, _ rawStart: Int, _ cleanStart: Int, _ rows: Int, _ columns: Int,
        _ numbered: inout NumberedWords,
        _ steps: inout [Step], _ costs: inout [Int32]
    ) {
        let width = Self.window + 1
        costs[0] = 0
        for column in 0..<columns {
            costs[column + 1] = costs[column] + clean.costs[cleanStart + column]
            steps[column + 1] = .insert
        }
        for row in 0..<rows {
            let (at, above) = ((row + 1) * width, row * width)
            let rawIndex = rawStart + row
            let (id, drop) = (raw.ids[rawIndex], raw.costs[rawIndex])
            let joinedRaw = row > 0 ? raw.joined[rawIndex - 1] : -1
            costs[at] = costs[above] + drop
            steps[at] = .drop
            for column in 0..<columns {
                let cleanIndex = cleanStart + column
                let other = clean.ids[cleanIndex]
                var best = costs[above + column + 1] + drop
                var step = Step.drop
                let inserted = costs[at + column] + clean.costs[cleanIndex]
                if inserted < best { (best, step) = (inserted, .insert) }
                if id == other {
                    if costs[above + column] <= best { (best, step) = (costs[above + column], .same) }
                } else if costs[above + column] + 2 < best, numbered.isSimilar(id, other) {
                    (best, step) = (costs[above + column] + 2, .same)
                }
                if joinedRaw == other, costs[above - width + column] + 1 < best {
                    (best, step) = (costs[above - width + column] + 1, .joinRaw)
                }
                if column > 0, clean.joined[cleanIndex - 1] == id, costs[above + column - 1] + 1 < best {
                    (best, step) = (costs[above + column - 1] + 1, .joinClean)
                }
                costs[at + column + 1] = best
                steps[at + column + 1] = step
            }
        }
    }

    /// Where the path leaves the window: its corner at the end of both texts, else the cheapest place on the far borders.
    private static func end(_ rows: Int, _ columns: Int, _ isLast: (raw: Bool, clean: Bool), _ costs: [Int32]) -> (row: Int, column: Int) {
        let width = window + 1
        var best = (row: rows, column: columns)
        if isLast.raw, isLast.clean { return best }
        var cost = costs[rows * width + columns]
        if !isLast.raw {
            for column in (0...columns).reversed() where costs[rows * width + column] < cost {
                (cost, best) = (costs[rows * width + column], (rows, column))
            }
        }
        if !isLast.clean {
            for row in (0...rows).reversed() where costs[row * width + columns] < cost {
                (cost, best) = (costs[row * width + columns], (row, columns))
            }
        }
        return best
    }

    /// Takes over the part of the path that later words can hardly change.
    private mutating func commit(
        _ rawStart: Int, _ cleanStart: Int, _ rows: Int, _ columns: Int, _ end: (row: Int, column: Int), _ isLast: (raw: Bool, clean: Bool),
        _ steps: [Step]
    ) -> (raw: Int, clean: Int) {
        let width = Self.window + 1
        var path: [(step: Step, row: Int, column: Int)] = []
        var (row, column) = end
        while row > 0 || column > 0 {
            let step = steps[row * width + column]
            path.append((step, row, column))
            switch step {
            case .drop: row -= 1
            case .insert: column -= 1
            case .same, .none: (row, column) = (row - 1, column - 1)
            case .joinRaw: (row, column) = (row - 2, column - 1)
            case .joinClean: (row, column) = (row - 1, column - 2)
            }
        }
        let isEnd = isLast.raw && isLast.clean
        let (rowLimit, columnLimit) = isEnd ? (rows, columns) : (max(1, rows * 5 / 8), max(1, columns * 5 / 8))
        var taken = (raw: 0, clean: 0)
        for (step, row, column) in path.reversed() {
            let (rawIndex, cleanIndex) = (rawStart + row - 1, cleanStart + column - 1)
            switch step {
            case .same, .none: link(rawIndex, cleanIndex)
            case .joinRaw:
                link(rawIndex, cleanIndex)
                cleanOf[rawIndex - 1] = cleanIndex
            case .joinClean:
                link(rawIndex, cleanIndex)
                rawOf[cleanIndex - 1] = rawIndex
            case .drop, .insert: break
            }
            taken = (row, column)
            if row >= rowLimit || column >= columnLimit, !isEnd { break }
        }
        return taken
    }

    private mutating func link(_ raw: Int, _ clean: Int) {
        cleanOf[raw] = clean
        rawOf[clean] = raw
    }
}

extension WordAlignment {
    /// How many words a verb may move.
    private static let reach = 12

    /// German and Dutch put verbs at another place when a sentence is mended: "weil ich hatte Zeit", "weil ich Zeit hatte".
    ///
    /// One in a text: two that change places change what happened.
    mutating func linkMovedVerb(_ raw: [FidelityWord], _ rawIDs: [Int32], _ clean: [FidelityWord], _ cleanIDs: [Int32]) {
        for index in clean.indices where rawOf[index] < 0 && Self.isVerbLike(clean[index]) {
            let place = rawOf[..<index].last { $0 >= 0 } ?? 0
            let near = max(0, place - Self.reach)..<min(raw.count, place + Self.reach)
            guard let from = near.first(where: { cleanOf[$0] < 0 && rawIDs[$0] == cleanIDs[index] }) else { continue }
            cleanOf[from] = index
            rawOf[index] = from
            return
        }
    }

    private static func isVerbLike(_ word: FidelityWord) -> Bool {
        word.wordClass == .content && !word.isNameLike && ["t", "te", "ten", "tet"].contains { word.key.hasSuffix($0) }
    }
}
