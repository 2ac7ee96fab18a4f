/// Reads numbers out of words: `two hundred and five`, `vingt-trois`, `2.5 million`, `half past three`.
struct SpokenNumbers {
    typealias Piece = FidelityTokenizer.Piece

    let words: NumberWords
    let pieces: [Piece]

    /// The numbers that follow each other from here, with the units that were named between them.
    /// - Returns: the run, the words between its numbers, and how many pieces were read; nil when no number begins here.
    func run(at start: Int) -> (run: NumberRun, between: [Int], count: Int)? {
        guard var (units, end) = single(start) else { return nil }
        var between: [Int] = []
        while end < pieces.count, units.count < 64 {
            // The hour's own word may stand before its half.
            let unit = MeasureWords.isUnit(MeasureWords.common(pieces[end].key)) || isHalf(end + 1) ? 1 : 0
            if let (part, count) = part(end + unit, of: &units) {
                between += end..<end + unit
                units.append(part)
                end += unit + count
            } else if isOrdinalEnding(end) {
                end += 1
            } else if let (more, next) = single(end) {
                units += more
                end = next
            } else if words.zeros.contains(pieces[end].key), let (more, next) = single(end + 1) {
                units += [.init(digits: "0")] + more
                end = next
            } else if let skipped = bridge(end), let (more, next) = single(end + skipped) {
                between += end..<end + skipped
                units += more.enumerated().map { $0 == 0 ? .init(digits: $1.digits, isApart: true, isHalf: $1.isHalf) : $1 }
                end = next
            } else {
                break
            }
        }
        return (NumberRun(units: units), between, end - start)
    }

    /// "a mile and a half": the half stands behind what is counted.
    private func isHalf(_ at: Int) -> Bool { words.halves.contains { $0.count > 1 && matches($0, at) } }

    /// `and a half`, `et quart`, `menos cuarto` behind a number.
    private func part(_ at: Int, of units: inout [NumberRun.Unit]) -> (NumberRun.Unit, count: Int)? {
        if let half = words.halves.first(where: { matches($0, at) }) {
            return (.init(digits: "5", isApart: true, isHalf: true), half.count)
        }
        if let quarter = words.quarters.first(where: { matches($0, at) }) { return (.init(digits: "15", isApart: true), quarter.count) }
        guard let less = words.quartersLess.first(where: { matches($0, at) }), let last = units.indices.last,
            let hour = Int(units[last].digits),
            (1...24).contains(hour)
        else { return nil }
        units[last].digits = String(hour == 1 ? 12 : hour - 1)
        return (.init(digits: "45", isApart: true), less.count)
    }

    /// `dollars`, `Uhr`, `to`, `dollars and`: what may stand between two numbers that are written as one.
    private func bridge(_ at: Int) -> Int? {
        let key = pieces[at].key
        if MeasureWords.isUnit(MeasureWords.common(key)) {
            return at + 1 < pieces.count && (words.connectors.contains(pieces[at + 1].key)) ? 2 : 1
        }
        return Self.ranges.contains(key) && !pieces[at].opensSentence ? 1 : nil
    }

    private static let ranges: Set<String> = ["to", "or", "bis", "oder", "a", "ou", "o", "tot", "of", "et", "до", "или", "do", "lub"]

    /// The `th` of `5th`, the `s` of `1990s`.
    private func isOrdinalEnding(_ at: Int) -> Bool {
        pieces[at].isGlued && at > 0 && pieces[at - 1].isNumber && Self.ordinals.contains(pieces[at].key)
    }

    private static let ordinals: Set<String> = [
        "st", "nd", "rd", "th", "s", "er", "ere", "re", "e", "eme", "ieme", "o", "a", "os", "as", "te", "ten", "ter", "de", "ste", "º", "ª",
        "й", "го", "я", "х",
    ]

    /// An article that is a number for what follows: "un mètre douze", "ein Euro zwanzig", "an hour and a half", "la una y media".
    private func isOne(_ at: Int) -> Bool {
        guard at + 2 < pieces.count, Self.ones.contains(pieces[at].key) else { return false }
        let unit = MeasureWords.isUnit(MeasureWords.common(pieces[at + 1].key)) ? 1 : 0
        if isHalf(at + 1) || isHalf(at + 2) || words.quarters.contains(where: { matches($0, at + 1 + unit) }) { return true }
        return unit == 1 && pieces[at].key != "a" && pieces[at].key != "an"
            && (pieces[at + 2].isNumber || words.values[pieces[at + 2].key] != nil)
    }

    private static let ones: Set<String> = ["a", "an", "un", "une", "ein", "eine", "einen", "una", "um", "uma", "een"]

    // MARK: one number

    private func single(_ at: Int) -> (units: [NumberRun.Unit], end: Int)? {
        guard at < pieces.count else { return nil }
        if let time = clock(at) { return time }
        if pieces[at].isNumber { return scaled(pieces[at].units, at + 1) }
        if isOne(at) { return ([.init(digits: "1")], at + 1) }
        guard let (value, end) = spoken(at) else { return nil }
        var units = [NumberRun.Unit(digits: String(value))]
        var last = end
        guard last < pieces.count, words.points.contains(pieces[last].key), !pieces[last].opensSentence,
            let (first, next) = fraction(last + 1)
        else {
            return (units, end)
        }
        units.append(.init(digits: first, isApart: true))
        last = next
        return scaled(units, last)
    }

    /// Digits after a decimal point, each by its word or all in one.
    private func fraction(_ start: Int) -> (String, Int)? {
        var digits = ""
        var at = start
        while at < pieces.count, digits.utf8.count < 12, let value = words.values[pieces[at].key], value < 10 {
            digits += String(value)
            at += 1
        }
        if digits.isEmpty, let (value, end) = spoken(start) { return (String(value), end) }
        return digits.isEmpty ? nil : (digits, at)
    }

    /// `2 million`, `1.5 million`.
    private func scaled(_ units: [NumberRun.Unit], _ end: Int) -> (units: [NumberRun.Unit], end: Int)? {
        guard end < pieces.count, let zeros = scale(pieces[end].key), units.count < 3 else { return (units, end) }
        let fraction = units.dropFirst().reduce(0) { $0 + $1.digits.utf8.count }
        let digits = units.map(\.digits).joined()
        guard fraction <= zeros, digits.utf8.count < 12, units.dropFirst().allSatisfy(\.isApart) else { return (units, end) }
        return ([.init(digits: digits + String(repeating: "0", count: zeros - fraction))], end + 1)
    }

    private func scale(_ key: String) -> Int? { words.hundreds.contains(key) ? 2 : words.scales[key] }

    private func spoken(_ start: Int) -> (value: Int, end: Int)? {
        var (total, section, bound) = (0, 0, Int.max)
        var lowest = Int.max
        var at = start
        while at < pieces.count {
            let key = pieces[at].key
            if at > start, pieces[at].opensSentence { break }
            if let (value, length) = reversed(at), value < bound {
                section += value
                (bound, at) = (0, at + length)
            } else if let value = words.values[key], at == start || (value > 0 && value < bound) {
                // "eight hundred five five five" is spelled out.
                if at > start, value < 10, bound >= 100, at + 1 < pieces.count, let next = words.values[pieces[at + 1].key], next < 10 {
                    break
                }
                section += value
                at += 1
                bound = Self.bound(after: value)
                if words.hasWideTens {
                    if section % 100 == 60 || section % 100 == 80 { bound = 20 }
                    // dix-sept
                    if value == 10, at < pieces.count, let next = words.values[pieces[at].key], (7...9).contains(next) { bound = 10 }
                }
                // quatre-vingt
                if words.hasWideTens, value == 4, at < pieces.count, pieces[at].key == "vingt" || pieces[at].key == "vingts" {
                    (section, bound, at) = (section - 4 + 80, 20, at + 1)
                }
            } else if words.hundreds.contains(key), section < 100, bound > 0 || (section > 0 && section < 100),
                at == start || section > 0 || total > 0
            {
                section = max(1, section) * 100
                (bound, at) = (100, at + 1)
            } else if let zeros = words.scales[key], at == start || section > 0 {
                guard zeros < lowest, zeros <= 9 || total == 0 else { break }
                let factor = (0..<zeros).reduce(1) { power, _ in power * 10 }
                let (product, isOver) = max(1, section).multipliedReportingOverflow(by: factor)
                guard !isOver, product < 1_000_000_000_000_000 else { break }
                total += product
                (section, lowest, bound, at) = (0, zeros, factor, at + 1)
            } else if let value = words.compound(key), value < bound || at == start {
                section += value
                (bound, at) = (0, at + 1)
            } else if words.connectors.contains(key), at > start, at + 1 < pieces.count, bound > 1,
                !(bound == 10 && words.reversing != nil),
                bound >= 100 || words.connectors != ["and"], let next = words.values[pieces[at + 1].key], next > 0, next < bound,
                section + total > 0, section != 0 || total != 0
            {
                at += 1
            } else if at > start, ["un", "une", "uno", "una", "um", "uma"].contains(key), bound == 10 || bound == 20, at > start + 1,
                words.connectors.contains(pieces[at - 1].key)
            {
                section += 1
                (bound, at) = (0, at + 1)
            } else if words.connectors.contains(key), at > start, bound == 10 || bound == 20, at + 1 < pieces.count,
                ["un", "une", "uno", "una", "um", "uma"].contains(pieces[at + 1].key), words.reversing == nil, words.connectors != ["and"]
            {
                at += 1
            } else {
                break
            }
        }
        // A connector that nothing followed is not part of the number.
        if at > start + 1, words.connectors.contains(pieces[at - 1].key) { at -= 1 }
        return at > start ? (total + section, at) : nil
    }

    /// What may still be added after a part is below this: units after tens, nothing after units.
    private static func bound(after value: Int) -> Int {
        if value == 0 { return 0 }
        if value % 100 == 0 { return 100 }
        return value % 10 == 0 && value % 100 >= 20 ? 10 : 0
    }

    /// `drei und zwanzig`.
    private func reversed(_ at: Int) -> (Int, Int)? {
        guard let and = words.reversing, at + 2 < pieces.count, pieces[at + 1].key == and else { return nil }
        let key = pieces[at].key
        guard let unit = key == "ein" || key == "een" ? 1 : words.values[key], (1...9).contains(unit) else { return nil }
        guard let tens = words.values[pieces[at + 2].key], tens >= 20, tens < 100, tens % 10 == 0 else { return nil }
        return (tens + unit, 3)
    }

    /// `half past three` is 3:30, `halb vier` too.
    private func clock(_ at: Int) -> (units: [NumberRun.Unit], end: Int)? {
        func hour(_ phrase: [String], minutes: String, back: Int) -> (units: [NumberRun.Unit], end: Int)? {
            guard !phrase.isEmpty, matches(phrase, at) else { return nil }
            let next = at + phrase.count
            guard next < pieces.count else { return nil }
            let value: Int, end: Int
            if pieces[next].isNumber, pieces[next].units.count == 1, let digits = Int(pieces[next].units[0].digits) {
                (value, end) = (digits, next + 1)
            } else if let word = words.values[pieces[next].key] {
                (value, end) = (word, next + 1)
            } else {
                return nil
            }
            guard (1...24).contains(value) else { return nil }
            return ([.init(digits: String(value - back == 0 ? 12 : value - back)), .init(digits: minutes, isApart: true)], end)
        }
        if let time = hour(words.halfPast, minutes: "30", back: 0) ?? hour(words.halfTo, minutes: "30", back: 1) { return time }
        for phrase in words.quarterPast { if let time = hour(phrase, minutes: "15", back: 0) { return time } }
        for phrase in words.quarterTo { if let time = hour(phrase, minutes: "45", back: 1) { return time } }
        return nil
    }

    private func matches(_ phrase: [String], _ at: Int) -> Bool {
        at + phrase.count <= pieces.count && zip(phrase, pieces[at...]).allSatisfy { $0 == $1.key }
    }
}
