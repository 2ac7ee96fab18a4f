/// How much of what is said in a recording has words: the words compared with where the recording has voice.
package struct VoiceCoverage: Sendable, Equatable {
    /// 0 to 1000: the share of the voice's time that is outside the gaps.
    package let thousandths: Int
    /// Voice without words, from the first to the last that is heard of it.
    package let gaps: [VoiceSpan]

    /// Seconds of voice without words below which it is no gap: a laugh, a sigh, a word that the engine left out as a filler.
    package static let shortest = 3.0
    /// Seconds beside a word that are its own: engines cut times short.
    private static let margin = 0.25
    /// Seconds of voice in which a word is said. Beside a gap so much of a margin is a word that is missing, too.
    private static let shortestWord = 0.15
    /// A word that claims more has a pause in it.
    private static let longestWord = 2.0
    /// Seconds without voice from which on a gap ends.
    private static let pause = 3.0

    package init(thousandths: Int, gaps: [VoiceSpan]) {
        self.thousandths = min(1_000, max(0, thousandths))
        self.gaps = gaps
    }

    /// - Parameters:
    ///   - voice: in order, without overlaps.
    ///   - segments: with words that have times.
    package init(voice: [VoiceSpan], segments: [SpeechSegment]) {
        let gaps = Self.gaps(in: voice, outside: Self.spoken(segments))
        let total = voice.seconds
        let missed = gaps.reduce(0) { $0 + voice.within($1.start, $1.end).seconds }
        self.init(thousandths: total > 0 ? Int(((1 - missed / total) * 1_000).rounded()) : 1_000, gaps: gaps)
    }

    package var share: Double { Double(thousandths) / 1_000 }

    /// Where words are, in order of their starts. Segments whose words were cut cover nothing.
    private static func spoken(_ segments: [SpeechSegment]) -> [VoiceSpan] {
        segments.flatMap { segment -> [VoiceSpan] in
            if isSharedOut(segment) { return [VoiceSpan(start: segment.start - margin, end: segment.end + margin)] }
            return segment.words.map { VoiceSpan(start: $0.start - margin, end: min($0.end, $0.start + longestWord) + margin) }
        }.filter { $0.start.isFinite && $0.end.isFinite }.sorted { $0.start < $1.start }
    }

    /// The engine gave the segment's time alone, and each word has a share of it by its letters: where in it the words are is not known.
    private static func isSharedOut(_ segment: SpeechSegment) -> Bool {
        func letters(_ word: TimedWord) -> Double {
            Double(word.text.unicodeScalars.count { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        }
        let pace = (segment.end - segment.start) / max(1, segment.words.reduce(0) { $0 + letters($1) })
        return segment.words.count > 1 && segment.words.allSatisfy { abs($0.end - $0.start - pace * letters($0)) < 0.02 }
    }

    private static func gaps(in voice: [VoiceSpan], outside spoken: [VoiceSpan]) -> [VoiceSpan] {
        var gaps: [VoiceSpan] = []
        var end = -Double.infinity
        for span in spoken + [VoiceSpan(start: .infinity, end: .infinity)] {
            if span.start - end >= shortest {
                let last = span.start
                let (before, after) = (voice.within(end - margin, end), voice.within(last, last + margin))
                let first = before.seconds < shortestWord ? end : end - margin
                gaps += joined(voice.within(first, after.seconds < shortestWord ? last : last + margin)).filter {
                    voice.within(max($0.start, end), min($0.end, last)).seconds >= shortest
                }
            }
            end = max(end, span.end)
        }
        return gaps
    }

    private static func joined(_ spans: [VoiceSpan]) -> [VoiceSpan] {
        spans.reduce(into: []) { joined, span in
            if let last = joined.last, span.start - last.end < pause {
                joined[joined.count - 1].end = span.end
            } else {
                joined.append(span)
            }
        }
    }
}

/// As it is stored: the thousandths, then each gap as its first and last millisecond: `912 12500-19250`.
extension VoiceCoverage {
    package var text: String {
        ([String(thousandths)] + gaps.map { "\(Self.milliseconds($0.start))-\(Self.milliseconds($0.end))" }).joined(separator: " ")
    }

    /// - Returns: nil for any other text.
    package init?(text: String) {
        let words = text.split(separator: " ")
        guard let first = words.first, let thousandths = Int(first) else { return nil }
        self.init(
            thousandths: thousandths,
            gaps: words.dropFirst().compactMap { word in
                let times = word.split(separator: "-").compactMap { Double($0) }
                return times.count == 2 ? VoiceSpan(start: times[0] / 1_000, end: times[1] / 1_000) : nil
            })
    }

    private static func milliseconds(_ seconds: Double) -> Int64 { Int64(exactly: (seconds * 1_000).rounded()) ?? 0 }
}

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
