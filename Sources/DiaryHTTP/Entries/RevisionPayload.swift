import DiaryCore
import WireFormats

enum RevisionPayload {
    static func write(_ revision: Revision, to w: inout JSONWriter) {
        w.member("number", revision.number)
        w.member("layer", revision.layer.rawValue)
        w.member("created_at", revision.createdAt)
        w.member("engine", revision.content?.engine?.name)
        w.member("model", revision.content?.engine?.model)
        w.member("text", revision.content?.text)
        w.array("corrections", revision.content?.corrections ?? []) { w, correction in
            w.object { w in
                w.member("segment", correction.segment)
                w.member("start", correction.start)
                w.member("end", correction.end)
                w.member("text", correction.text)
                w.member("speaker", correction.speaker)
            }
        }
        w.member("damaged", revision.content == nil)
    }
}
