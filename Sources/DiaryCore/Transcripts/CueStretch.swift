/// Cues that share a stretch of time: those of a segment, and of segments after it that were said at the same time. Times in milliseconds.
struct CueStretch {
    var start: Int
    var end: Int
    /// At least one, in order, at the times of their words.
    var cues: [Cue]

    /// Whether a later segment begins no later, or overlaps by more than half of the shorter one: of two that speak at once, neither is
    /// squeezed into the time before the other.
    func holds(start: Int, end: Int) -> Bool {
        let overlap = min(self.end, end) - start
        return start <= self.start || start < self.end && end <= self.end || overlap * 2 > min(self.end - self.start, end - start)
    }

    /// Takes in the cues of a later segment: one that begins meanwhile comes before those cues that begin after it.
    mutating func add(_ spoken: [Cue], start: Int, end: Int) {
        self.end = max(self.end, end)
        let place = start > self.start ? cues.firstIndex { $0.start > start } ?? cues.count : cues.count
        cues.insert(contentsOf: spoken, at: place)
    }

    /// The cues without overlaps, from the start of the stretch to its end.
    /// - Parameters:
    ///   - earliest: the end of the cue before.
    ///   - next: where the next stretch begins. Up to there a stretch may last `Cue.shortest` though its segment is shorter. Only where a
    ///     millisecond for each cue does not fit, the next one begins later.
    func placed(from earliest: Int, before next: Int) -> [Cue] {
        let low = max(start, earliest)
        let high = max(min(max(end, low + Cue.shortest), next), low + cues.count)
        return cues.count * Cue.shortest <= high - low ? spoken(from: low, to: high) : shared(from: low, to: high)
    }

    /// Each begins with its first word, at least `shortest` after the one before, and early enough to leave as much to those after it. It
    /// ends with its last word, at the earliest after `shortest`, at the latest after `longest` or where the next one begins.
    private func spoken(from low: Int, to high: Int) -> [Cue] {
        var placed = cues
        var earliest = low
        for index in placed.indices {
            let latest = high - (placed.count - index) * Cue.shortest
            placed[index].start = min(max(placed[index].start, earliest), latest)
            earliest = placed[index].start + Cue.shortest
        }
        for index in placed.indices {
            let start = placed[index].start
            let next = index + 1 < placed.count ? placed[index + 1].start : high
            placed[index].end = min(max(placed[index].end, start + Cue.shortest), start + Cue.longest, next)
        }
        return placed
    }

    /// A millisecond each, and the rest of the time by length of text.
    private func shared(from low: Int, to high: Int) -> [Cue] {
        let lengths = cues.map { cue in cue.lines.reduce(0) { $0 + $1.count } }
        let total = max(1, lengths.reduce(0, +))
        let rest = high - low - cues.count
        var placed = cues
        var passed = 0
        for (index, length) in lengths.enumerated() {
            let start = low + index + rest * passed / total
            passed += length
            let end = low + index + 1 + rest * passed / total
            placed[index].start = start
            placed[index].end = min(end, start + Cue.longest)
        }
        return placed
    }
}
