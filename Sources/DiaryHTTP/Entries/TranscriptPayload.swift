import DiaryCore
import WireFormats

enum TranscriptPayload {
    static func write(_ entry: Entry, _ segments: [SpeechSegment], to w: inout JSONWriter) {
        w.member("entry_id", entry.facts.id)
        w.member("language", entry.facts.language)
        w.member("raw", entry.machine.raw)
        w.member("clean", entry.machine.clean)
        w.member("edited", entry.personal.edited)
        w.member("text", entry.text)
        w.array("segments", segments) { w, segment in
            w.object { w in
                w.member("start", segment.start)
                w.member("end", segment.end)
                w.member("text", segment.text)
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
    }
}
