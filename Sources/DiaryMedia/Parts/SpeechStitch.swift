import DiaryCore

/// Puts what was heard of parts together: times counted from the recording's start, and what two overlapping parts both heard once.
enum SpeechStitch {
    /// Moves what was heard of a part to its place. Times are brought inside the part and into order: engines name some beyond its end.
    static func placed(_ segments: [SpeechSegment], from start: Double, to end: Double) -> [SpeechSegment] {
        func place(_ time: Double, after floor: Double) -> Double {
            time.isFinite ? min(max(start + time, floor), end) : floor
        }
        var segmentFloor = start
        return segments.map { segment in
            var segment = segment
            segment.start = place(segment.start, after: segmentFloor)
            segment.end = place(segment.end, after: segment.start)
            segmentFloor = segment.start
            var wordFloor = segment.start
            segment.words = segment.words.map { word in
                var word = word
                word.start = place(word.start, after: wordFloor)
                word.end = place(word.end, after: word.start)
                if !word.confidence.isFinite { word.confidence = 0 }
                wordFloor = word.start
                return word
            }
            return segment
        }
    }

    /// - Parameter parts: in order, with their segments placed and their speakers told apart (`SpeakersOfParts`).
    static func joined(_ parts: [SpeechPart]) -> [SpeechSegment] {
        var all: [SpeechSegment] = []
        var end = 0.0
        for part in parts {
            var segments = part.segments
            if part.start < end { join(&all, &segments, over: part.start...end) }
            all += segments
            end = part.end
        }
        return all
    }

    /// Where the recording has voice; nil when that of a part was not measured.
    static func voice(of parts: [SpeechPart]) -> [VoiceSpan]? {
        var all: [VoiceSpan] = []
        for part in parts {
            guard let voice = part.voice else { return nil }
            // Of two overlapping parts the earlier one's counts.
            all += voice.within(all.last?.end ?? 0, .infinity)
        }
        return all
    }

    /// The one with the most words.
    static func language(of parts: [SpeechPart]) -> String {
        var counts: [(language: String, words: Int)] = []
        for part in parts {
            let words = part.segments.reduce(0) { $0 + $1.words.count }
            if let index = counts.firstIndex(where: { $0.language == part.language }) {
                counts[index].words += words
            } else {
                counts.append((part.language, words))
            }
        }
        var best: (language: String, words: Int)?
        for one in counts where one.words > best?.words ?? -1 { best = one }
        return best?.language ?? "und"
    }

    // MARK: the seam of two parts

    private struct Place {
        var segment: Int
        var word: Int
        var key: String
        var middle: Double
    }

    /// Beside the seam, in words and seconds, for engines whose times are off.
    private static let reach = (words: 60, seconds: 5.0)

    /// Cuts the end of `left` and the beginning of `right`, so that each word that both have stays once. Words at the very edge of a part
    /// may be torn, so the seam lies in the middle of the longest passage that both heard; without one, in the middle of the overlap.
    private static func join(_ left: inout [SpeechSegment], _ right: inout [SpeechSegment], over overlap: ClosedRange<Double>) {
        let tail = Array(places(left).filter { $0.middle > overlap.lowerBound - reach.seconds }.suffix(reach.words))
        let head = Array(places(right).filter { $0.middle < overlap.upperBound + reach.seconds }.prefix(reach.words))
        if let (last, first) = seam(tail, head) {
            keep(&left, through: last)
            drop(&right, through: first)
        } else {
            let middle = (overlap.lowerBound + overlap.upperBound) / 2
            filter(&left) { ($0.start + $0.end) / 2 < middle }
            filter(&right) { ($0.start + $0.end) / 2 >= middle }
        }
        // The first words of the right one may claim times that the left one's last have.
        guard let floor = left.last.map({ max($0.start, $0.words.last?.end ?? $0.start) }) else { return }
        right = right.map { segment in
            var segment = segment
            segment.start = max(segment.start, floor)
            segment.end = max(segment.end, floor)
            for index in segment.words.indices where segment.words[index].start < floor {
                segment.words[index].start = floor
                segment.words[index].end = max(segment.words[index].end, floor)
            }
            return segment
        }
    }

    /// Of the runs of words that both have the longest, less three words for each second between the times of both: the same words may be
    /// said twice.
    private static func seam(_ tail: [Place], _ head: [Place]) -> (last: Place, first: Place)? {
        var best: (score: Double, last: Place, first: Place)?
        for (i, left) in tail.enumerated() {
            for (j, right) in head.enumerated() where left.key == right.key {
                if i > 0, j > 0, tail[i - 1].key == head[j - 1].key { continue }
                var length = 1
                while i + length < tail.count, j + length < head.count, tail[i + length].key == head[j + length].key { length += 1 }
                let middle = (length - 1) / 2
                let score = Double(length) - 3 * abs(tail[i + middle].middle - head[j + middle].middle)
                if score > best?.score ?? 0 { best = (score, tail[i + middle], head[j + middle]) }
            }
        }
        return best.map { ($0.last, $0.first) }
    }

    private static func places(_ segments: [SpeechSegment]) -> [Place] {
        segments.enumerated().flatMap { at, segment in
            segment.words.enumerated().map { index, word in
                Place(segment: at, word: index, key: WordKey.of(word.text), middle: (word.start + word.end) / 2)
            }
        }
    }

    private static func keep(_ segments: inout [SpeechSegment], through place: Place) {
        guard segments.indices.contains(place.segment) else { return }
        segments.removeSubrange((place.segment + 1)...)
        let words = Array(segments[place.segment].words.prefix(place.word + 1))
        segments[place.segment].words = words
        segments[place.segment].end = max(segments[place.segment].start, words.last?.end ?? segments[place.segment].start)
    }

    private static func drop(_ segments: inout [SpeechSegment], through place: Place) {
        guard segments.indices.contains(place.segment) else { return }
        let words = Array(segments[place.segment].words.dropFirst(place.word + 1))
        segments[place.segment].words = words
        if let first = words.first { segments[place.segment].start = first.start }
        segments.removeSubrange(..<(place.segment + (words.isEmpty ? 1 : 0)))
    }

    private static func filter(_ segments: inout [SpeechSegment], _ isKept: (TimedWord) -> Bool) {
        segments = segments.compactMap { segment in
            let words = segment.words.filter(isKept)
            if words.count == segment.words.count { return segment }
            guard let first = words.first, let last = words.last else { return nil }
            var segment = segment
            segment.words = words
            segment.start = first.start
            segment.end = max(first.start, last.end)
            return segment
        }
    }
}
