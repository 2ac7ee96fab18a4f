/// Finds the known name that is closest to a misspelt one.
enum ClosestName {
    /// - Returns: the nearest of `names`; nil when every one differs in more than a third of its letters.
    static func of(_ name: String, among names: some Sequence<String>) -> String? {
        let bytes = Array(name.utf8)
        let nearest = names.map { (name: $0, distance: distance(bytes, Array($0.utf8))) }.min {
            ($0.distance, $0.name) < ($1.distance, $1.name)
        }
        guard let nearest, nearest.distance * 3 <= max(bytes.count, nearest.name.utf8.count) else { return nil }
        return nearest.name
    }

    /// Optimal string alignment: how many letters are left out, added, replaced, or transposed.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before: [Int] = []
        var previous = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, previous) = (previous, row)
        }
        return previous[b.count]
    }
}
