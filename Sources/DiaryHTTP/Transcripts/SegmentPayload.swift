import DiaryCore
import WireFormats

enum SegmentPayload {
    static func write(_ segment: SpeechSegment, to w: inout JSONWriter) {
        w.member("id", segment.id)
        w.member("start", segment.start)
        w.member("end", segment.end)
        w.member("text", segment.shownText)
        w.member("is_edited", segment.isEdited)
        w.member("speaker", segment.speaker)
        w.member("confidence", segment.meanConfidence)
        w.member("marks", segment.marks ?? [])
        w.array("words", segment.words) { w, word in
            w.object { w in
                w.member("text", word.text)
                w.member("start", word.start)
                w.member("end", word.end)
                w.member("confidence", word.confidence)
            }
        }
    }
}

extension SpeechSegment {
    /// The engine's, or else the mean of its words, from 0 to 1 to three digits; nil when nothing tells.
    var meanConfidence: Double? {
        let known = (confidence.map { [$0] } ?? words.map(\.confidence)).filter(\.isFinite)
        guard !known.isEmpty else { return nil }
        return min(1, max(0, (known.reduce(0, +) / Double(known.count) * 1_000).rounded() / 1_000))
    }
}
