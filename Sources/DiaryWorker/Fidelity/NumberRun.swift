/// Numbers that follow each other, spoken or in digits: `three thirty`, `3:30`, `nineteen eighty-four`, `1984`.
struct NumberRun: Sendable, Hashable {
    struct Unit: Sendable, Hashable {
        var digits: String
        /// Something other than a blank stands between it and the unit before: a decimal point, a colon, `dollars`.
        var isApart = false
        /// It was said as `and a half`, which may be `.5` or `:30`.
        var isHalf = false
    }

    var units: [Unit]

    var key: String { "#" + units.map { ($0.isApart ? "." : "|") + $0.digits }.joined() }

    /// Whether `clean` may stand for this run.
    func isWritten(as clean: NumberRun) -> Bool {
        if matches(clean) { return true }
        let halves = units.contains(where: \.isHalf) ? asMinutes : self
        if halves.matches(clean) || halves.matches(clean.asMinutes) || matches(clean.asMinutes) { return true }
        if NumberRun(units: withoutRepeats).matches(clean) { return true }
        // "eight oh five" is 8:05.
        return clean.units.count > 1 && NumberRun(units: units.filter { $0.digits != "0" }).matches(clean)
    }

    private func matches(_ clean: NumberRun) -> Bool {
        guard !units.isEmpty, units.map(\.digits).joined() == clean.units.map(\.digits).joined() else { return false }
        let mine = bounds(apart: false)
        // 150 is not 1.50, and 1.5 is not 15; but "nineteen eighty-four" is 1984.
        return clean.bounds(apart: false).isSubset(of: mine) && bounds(apart: true).isSubset(of: clean.bounds(apart: false))
    }

    /// Where units begin, counted in digits.
    private func bounds(apart: Bool) -> Set<Int> {
        var bounds: Set<Int> = []
        var at = 0
        for (index, unit) in units.enumerated() {
            if index > 0, !apart || unit.isApart { bounds.insert(at) }
            at += unit.digits.utf8.count
        }
        return bounds
    }

    private var asMinutes: NumberRun {
        NumberRun(units: units.map { $0.isHalf ? Unit(digits: "30", isApart: true) : $0 })
    }

    /// "twenty twenty-three" may be a stammer before 23.
    private var withoutRepeats: [Unit] {
        var kept: [Unit] = []
        for unit in units {
            if let last = kept.last, last.digits == unit.digits || (!unit.isApart && Self.stammers(last.digits, unit.digits)) {
                kept.removeLast()
            }
            kept.append(unit)
        }
        return kept
    }

    private static func stammers(_ first: String, _ second: String) -> Bool {
        first.utf8.count == second.utf8.count && first.utf8.count > 1 && first != "10" && first.utf8.first == second.utf8.first
            && first.hasSuffix("0")
    }
}
