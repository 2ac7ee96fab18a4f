/// A stretch of a recording in which somebody speaks, in seconds from its start.
package struct VoiceSpan: Sendable, Equatable, Codable {
    package var start: Double
    package var end: Double

    package init(start: Double, end: Double) {
        self.start = start
        self.end = end
    }

    package var seconds: Double { max(0, end - start) }
}

extension [VoiceSpan] {
    package var seconds: Double { reduce(0) { $0 + $1.seconds } }

    /// Whether one of them, in order and without overlaps, reaches into a stretch.
    package func reach(from start: Double, to end: Double) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].end > start { high = middle } else { low = middle + 1 }
        }
        return low < count && self[low].start < end
    }

    /// The spans between two times, cut there.
    package func within(_ start: Double, _ end: Double) -> [VoiceSpan] {
        compactMap { span in
            let cut = VoiceSpan(start: Swift.max(span.start, start), end: Swift.min(span.end, end))
            return cut.end > cut.start ? cut : nil
        }
    }
}
