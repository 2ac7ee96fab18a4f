import DiaryCore
import Glibc

extension HeardSpeech {
    /// In order of time, inside the recording, words inside their segment. Segments overlap only where their speakers differ.
    /// - Parameter duration: of the recording, in seconds.
    func speechSegments(duration: Double) -> [SpeechSegment] {
        let length = duration.isFinite ? max(0, duration) : 0
        func inside(_ time: Double?, or other: Double) -> Double { min(max(0, time ?? other), length) }

        let known = segments.map { ($0, start: inside($0.start, or: 0), end: inside($0.end, or: length)) }
        // `sorted` is stable: segments of the same start stay as the engine has them.
        var made: [SpeechSegment] = []
        for (segment, start, end) in known.sorted(by: { $0.start < $1.start }) {
            var start = start
            if let before = made.last {
                start = max(start, before.speaker == segment.speaker ? before.end : before.start)
            }
            let end = max(start, end)
            let confidence = segment.logprob.map { Self.probability($0) }
            made.append(
                SpeechSegment(
                    start: start, end: end, words: segment.timedWords(from: start, to: end, confidence: confidence),
                    confidence: confidence ?? Self.mean(segment.words.compactMap(\.confidence)), speaker: segment.speaker))
        }
        return made
    }

    static func probability(_ logprob: Double) -> Double { min(1, max(0, exp(logprob))) }

    static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : min(1, max(0, values.reduce(0, +) / Double(values.count)))
    }
}
