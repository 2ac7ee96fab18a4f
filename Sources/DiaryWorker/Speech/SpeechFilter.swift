import DiaryCore

/// Cuts what speech engines are known to invent, and marks it: passages that they write over and over, signs for sounds, words in silence, and
/// closing credits of the films in their training data. A segment whose words were cut stays, with its times, its mark and no words.
///
/// Bounds, so that what was said stays: a word may come 9 times in a row, a phrase or a segment 4 times. What comes more often is cut to the
/// first time (a word to three).
enum SpeechFilter {
    /// Repetitions in a row from which on they count as a loop.
    private static let loop = (words: 10, phrases: 5)
    /// The longest phrase of a loop, in words, and the longest passage, in segments.
    private static let longest = (words: 24, segments: 4)
    /// How many repetitions of a looped word are kept.
    private static let keptWords = 3
    /// Mean confidence below which a segment is doubtful.
    private static let doubtful = 0.5
    /// Seconds before a last segment that set it apart from what was said.
    private static let silence = 2.0

    /// - Parameters:
    ///   - waveform: of the recording; nil: not drawn.
    ///   - seconds: of the recording.
    static func apply(_ transcript: RawTranscript, waveform: Waveform? = nil, seconds: Double = 0) -> RawTranscript {
        var transcript = transcript
        transcript.segments = transcript.segments.map { segment in
            waveform?.isSilent(from: segment.start, to: segment.end, of: seconds) == true
                ? kept([], of: segment) : kept(SoundSigns.removed(from: segment).words, of: segment)
        }
        transcript.segments = merged(unlooped(transcript.segments.map(unlooped)).map(marked))
        transcript.segments = withoutCredits(transcript.segments).filter { !$0.words.isEmpty || $0.marks != nil }
        return transcript
    }

    /// With the words that are left; marked where none is.
    private static func kept(_ words: [TimedWord], of segment: SpeechSegment) -> SpeechSegment {
        var rest = segment
        rest.words = words
        if words.isEmpty, !segment.words.isEmpty { mark(&rest, .notSpeech) }
        return rest
    }

    // MARK: loops

    /// Inside a segment.
    private static func unlooped(_ segment: SpeechSegment) -> SpeechSegment {
        var segment = segment
        var words = segment.words
        for index in words.indices {
            if let once = SpokenLoop.once(words[index].text) {
                words[index].text = once
                mark(&segment, .repeated)
            }
        }
        let keys = words.map { WordKey.of($0.text) }
        // Digits may be dictated, for example many zeros.
        let runs = SpokenLoop.runs(keys, longest: longest.words) { $0 == 1 ? loop.words : loop.phrases }
            .filter { !keys[$0.start].allSatisfy(\.isNumber) }
        if !runs.isEmpty { mark(&segment, .repeated) }
        for run in runs.reversed() {
            let kept = run.period == 1 ? keptWords : 1
            words.removeSubrange(run.start + kept * run.period..<run.start + run.count * run.period)
        }
        segment.words = words
        return segment
    }

    /// The same segments, or up to four by turns, again and again.
    private static func unlooped(_ segments: [SpeechSegment]) -> [SpeechSegment] {
        var segments = segments
        let keys = segments.map { $0.words.map { WordKey.of($0.text) }.joined(separator: " ") }
        for run in SpokenLoop.runs(keys, longest: longest.segments, leastTimes: { _ in loop.phrases }) {
            for index in run.start..<run.start + run.count * run.period where !segments[index].words.isEmpty {
                mark(&segments[index], .repeated)
                if index >= run.start + run.period { segments[index].words = [] }
            }
        }
        return segments
    }

    /// Neighbours that were cut for the same reason become one.
    private static func merged(_ segments: [SpeechSegment]) -> [SpeechSegment] {
        var merged: [SpeechSegment] = []
        for segment in segments {
            if let last = merged.last, last.words.isEmpty, segment.words.isEmpty, last.marks != nil, last.marks == segment.marks {
                merged[merged.count - 1].end = max(last.end, segment.end)
            } else {
                merged.append(segment)
            }
        }
        return merged
    }

    // MARK: invented words

    private static func marked(_ segment: SpeechSegment) -> SpeechSegment {
        var segment = segment
        if let confidence = confidence(of: segment), confidence < doubtful { mark(&segment, .lowConfidence) }
        return segment
    }

    private static func withoutCredits(_ segments: [SpeechSegment]) -> [SpeechSegment] {
        var segments = segments
        // Whether nothing is said behind a segment.
        var isLast = true
        for index in segments.indices.reversed() where !segments[index].words.isEmpty {
            let segment = segments[index]
            let before = segments[..<index].last { !$0.words.isEmpty }
            let isDoubtful = segment.marks?.contains(SpeechMark.lowConfidence.rawValue) == true
            let isApart = isLast && before.map { segment.start - $0.end >= silence } ?? true
            switch KnownCredits.kind(of: segment.text) {
            case .credit: break
            case .outro where isDoubtful || isApart: break
            case .courtesy where isDoubtful && isLast && before == nil: break
            case .outro, .courtesy, nil:
                isLast = false
                continue
            }
            segments[index].words = []
            segments[index].marks = [SpeechMark.notSpeech.rawValue]
        }
        return merged(segments)
    }

    /// The engine's own measure, else the mean of the words'; nil without words.
    private static func confidence(of segment: SpeechSegment) -> Double? {
        guard !segment.words.isEmpty else { return nil }
        if let confidence = segment.confidence { return confidence }
        return segment.words.reduce(0) { $0 + $1.confidence } / Double(segment.words.count)
    }

    private static func mark(_ segment: inout SpeechSegment, _ mark: SpeechMark) {
        guard segment.marks?.contains(mark.rawValue) != true else { return }
        segment.marks = (segment.marks ?? []) + [mark.rawValue]
    }
}
