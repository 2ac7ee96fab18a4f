import DiaryCore

/// Brings the times of segments onto one clock, that of the recording. The order of the answer is that of the speech.
enum SegmentClock {
    struct Placed {
        var segment: HeardSegment
        var start: Double
        var end: Double
    }

    /// Seconds that a start may fall back within one piece: windows that overlap.
    private static let jitter = 0.5
    /// Seconds beyond the recording's end that are rounding.
    private static let slack = 1.0

    /// - Parameter length: of the recording, in seconds.
    /// - Returns: with starts and ends inside the recording. Starts fall back only between two speakers.
    static func placed(_ segments: [HeardSegment], length: Double) -> [Placed] {
        var segments = scaled(segments, length)
        if segments.contains(where: { $0.speaker != segments.first?.speaker }) {
            // Speakers interrupt one another. `sorted` is stable: segments of the same start stay as the engine has them.
            var last = 0.0
            let starts = segments.map { segment in
                last = segment.start ?? last
                return last
            }
            segments = zip(segments, starts).sorted { $0.1 < $1.1 }.map(\.0)
        } else if fallsBack(segments) {
            segments = inOrder(segments, length)
        }
        if segments.count > 1, isPlaceholder(segments) { segments = segments.map(untimed) }
        return shared(segments, length)
    }

    /// Gives each word to the last segment that starts before the word's middle; where the segments' times fall back, by their letters.
    static func share(_ words: [HeardWord], among segments: inout [HeardSegment]) {
        let isByLetters = fallsBack(segments)
        var (at, left) = (0, 0)
        func letters(_ text: String) -> Int { text.unicodeScalars.count { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
        for word in words {
            if isByLetters {
                if left == 0 { left = letters(segments[at].text) }
                segments[at].words.append(word)
                left -= letters(word.text)
                if left <= 0, at + 1 < segments.count { (at, left) = (at + 1, 0) }
                continue
            }
            let middle = (word.start + word.end) / 2
            while let next = segments[(at + 1)...].firstIndex(where: { $0.start != nil }),
                segments[next].start.map({ $0 <= middle }) == true
            {
                at = next
            }
            segments[at].words.append(word)
        }
    }

    private static func fallsBack(_ segments: [HeardSegment]) -> Bool {
        let starts = segments.compactMap(\.start)
        return zip(starts, starts.dropFirst()).contains { $1 < $0 - jitter }
    }

    /// Hundredths, milliseconds, microseconds or nanoseconds, by the recording's length.
    private static func scaled(_ segments: [HeardSegment], _ length: Double) -> [HeardSegment] {
        let last = segments.flatMap { [$0.start ?? 0, $0.end ?? 0] }.max() ?? 0
        guard length > 1, last > 20 * length, let unit = [100.0, 1_000, 1e6, 1e9].first(where: { last / $0 <= length + slack }) else {
            return segments
        }
        return segments.map { moved($0) { $0 / unit } }
    }

    /// A start that falls back begins a new piece: of a server that cuts the recording and forgets where. Else the answer is out of order,
    /// or its times say nothing.
    private static func inOrder(_ segments: [HeardSegment], _ length: Double) -> [HeardSegment] {
        var (offset, before, end) = (0.0, 0.0, 0.0)
        let pieces = segments.map { segment in
            let start = segment.start ?? before
            if start < before - jitter { offset = end }
            before = start
            let placed = moved(segment) { [offset] in $0 + offset }
            end = max(end, placed.end ?? placed.start ?? 0)
            return placed
        }
        if end <= length + slack { return pieces }
        let sorted = segments.sorted { ($0.start ?? 0) < ($1.start ?? 0) }
        let isDisjoint = zip(sorted, sorted.dropFirst()).allSatisfy { ($0.end ?? 0) <= ($1.start ?? 0) + jitter }
        if isDisjoint, sorted.allSatisfy({ ($0.end ?? 0) <= length + slack }) { return sorted }
        return segments.map(untimed)
    }

    private static func isPlaceholder(_ segments: [HeardSegment]) -> Bool {
        guard let first = segments[0].start else { return false }
        return segments.allSatisfy { $0.start == first } && segments[0].speaker == segments[1].speaker
            || segments.allSatisfy { $0.start != nil && $0.start == $0.end }
    }

    private static func moved(_ segment: HeardSegment, _ move: (Double) -> Double) -> HeardSegment {
        var segment = segment
        (segment.start, segment.end) = (segment.start.map(move), segment.end.map(move))
        segment.words = segment.words.map { HeardWord(text: $0.text, start: move($0.start), end: move($0.end), confidence: $0.confidence) }
        return segment
    }

    private static func untimed(_ segment: HeardSegment) -> HeardSegment {
        var segment = segment
        (segment.start, segment.end, segment.words) = (nil, nil, [])
        return segment
    }

    /// Segments without times share what is between their neighbours, by their letters.
    private static func shared(_ segments: [HeardSegment], _ length: Double) -> [Placed] {
        func inside(_ time: Double) -> Double { min(max(0, time), length) }
        var placed: [Placed] = []
        var index = 0
        while index < segments.count {
            let begin = placed.last?.end ?? 0
            let run = segments[index...].prefix { $0.start == nil }
            if run.isEmpty {
                let segment = segments[index]
                let start = inside(segment.start ?? begin)
                let next = segments[(index + 1)...].lazy.compactMap(\.start).first { $0 > start }
                placed.append(Placed(segment: segment, start: start, end: inside(segment.end ?? next ?? length)))
                index += 1
                continue
            }
            let end = inside(segments[run.endIndex...].first?.start ?? run.last?.end ?? length)
            let letters = run.map { Double(max(1, $0.text.unicodeScalars.count)) }
            let total = letters.reduce(0, +)
            var at = begin
            for (segment, share) in zip(run, letters) {
                let next = at + max(0, end - begin) * share / total
                placed.append(Placed(segment: segment, start: at, end: next))
                at = next
            }
            index = run.endIndex
        }
        return placed
    }
}
