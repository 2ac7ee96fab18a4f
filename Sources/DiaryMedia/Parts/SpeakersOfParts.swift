import DiaryCore

/// Tells the speakers of a recording apart across its parts: an engine labels those of each part anew, so that its `A` is another person in
/// each of them.
enum SpeakersOfParts {
    /// Seconds of a sample. OpenAI takes 2 to 10; times of segments are off by a few tenths.
    static let shortest = 2.5
    static let longest = 8.0
    /// Seconds between two segments of one speaker that still are one stretch.
    private static let pause = 1.0

    struct Sample: Sendable, Equatable {
        /// The speaker's label in the recording.
        var speaker: String
        /// Seconds from the recording's start.
        var start: Double
        var end: Double
    }

    /// Gives the speakers of a part their labels in the recording. A label that the parts before have already is another person's, unless the
    /// engine was given that person's voice: it becomes the next free letter. So one person may have two labels, but two people have one only
    /// where the engine takes one voice for the other.
    /// - Parameters:
    ///   - known: labels in the recording, by the names that the engine was given with a sample.
    ///   - parts: those before, with their labels in the recording.
    static func renamed(_ segments: [SpeechSegment], known: [String: String], after parts: [SpeechPart]) -> [SpeechSegment] {
        var labels = known
        var used = Set(parts.flatMap { $0.segments.compactMap(\.speaker) })
        var letter = 0
        return segments.map { segment in
            guard let speaker = segment.speaker else { return segment }
            if labels[speaker] == nil {
                var label = speaker
                while !used.insert(label).inserted {
                    label = letters(letter)
                    letter += 1
                }
                labels[speaker] = label
            }
            var segment = segment
            segment.speaker = labels[speaker]
            return segment
        }
    }

    /// Where the speakers who have spoken longest are heard alone, the longest first; those without such a stretch are left out.
    ///
    /// A speaker's sample is of the first part that has one, so that it stays the same when more parts are heard.
    static func samples(of parts: [SpeechPart], atMost count: Int) -> [Sample] {
        var seconds: [String: Double] = [:]
        var samples: [Sample] = []
        for part in parts {
            var longest: [String: Sample] = [:]
            var order: [String] = []
            for stretch in stretches(of: part.segments) {
                let length = stretch.end - stretch.start
                seconds[stretch.speaker, default: 0] += length
                guard length >= shortest else { continue }
                if let best = longest[stretch.speaker] {
                    if length > best.end - best.start { longest[stretch.speaker] = stretch }
                } else {
                    longest[stretch.speaker] = stretch
                    order.append(stretch.speaker)
                }
            }
            let has = Set(samples.map(\.speaker))
            samples += order.filter { !has.contains($0) }.compactMap { longest[$0].map(middle) }
        }
        // `sorted` is stable: of equal ones the first stays first.
        return Array(samples.sorted { seconds[$0.speaker] ?? 0 > seconds[$1.speaker] ?? 0 }.prefix(count))
    }

    /// Segments of one speaker without another one's between or beneath them.
    /// - Parameter segments: in order of their starts.
    private static func stretches(of segments: [SpeechSegment]) -> [Sample] {
        var found: [Sample] = []
        var heard = 0.0
        var index = 0
        while index < segments.count {
            let first = segments[index]
            var end = first.end
            var next = index + 1
            while next < segments.count, segments[next].speaker == first.speaker, segments[next].start - end <= pause {
                end = max(end, segments[next].end)
                next += 1
            }
            let from = max(first.start, heard)
            let to = next < segments.count ? min(end, segments[next].start) : end
            if let speaker = first.speaker, from < to { found.append(Sample(speaker: speaker, start: from, end: to)) }
            heard = max(heard, end)
            index = next
        }
        return found
    }

    /// The ends of a stretch are the least certain.
    private static func middle(_ stretch: Sample) -> Sample {
        var sample = stretch
        let spare = max(0, stretch.end - stretch.start - longest) / 2
        sample.start = ((stretch.start + spare) * 1_000).rounded() / 1_000
        sample.end = ((stretch.end - spare) * 1_000).rounded() / 1_000
        return sample
    }

    /// A … Z, AA, AB …
    private static func letters(_ number: Int) -> String {
        var text = ""
        var rest = number
        repeat {
            text = String(Character(UnicodeScalar(UInt8(65 + rest % 26)))) + text
            rest = rest / 26 - 1
        } while rest >= 0
        return text
    }
}
