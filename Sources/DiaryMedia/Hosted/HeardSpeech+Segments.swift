import DiaryCore
import Glibc

extension HeardSpeech {
    /// In order, inside the recording, words inside their segment. Segments overlap only where their speakers differ.
    /// - Parameter duration: of the recording, in seconds.
    func speechSegments(duration: Double) -> [SpeechSegment] {
        let length = duration.isFinite ? max(0, duration) : 0
        var made: [SpeechSegment] = []
        for placed in SegmentClock.placed(segments, length: length) {
            let segment = placed.segment
            var start = placed.start
            if let before = made.last {
                start = max(start, before.speaker == segment.speaker ? before.end : before.start)
            }
            let end = max(start, placed.end)
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
