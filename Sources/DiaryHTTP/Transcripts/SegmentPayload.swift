import DiaryCore
import WireFormats

enum SegmentPayload {
    static func write(_ segment: SpeechSegment, to w: inout JSONWriter) {
        w.member("id", segment.id)
        w.member("start", segment.start)
        w.member("end", segment.end)
        w.member("text", segment.shownText)
        w.member("is_edited", segment.isEdited)
        w.member("speaker", segment.shownSpeaker)
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
