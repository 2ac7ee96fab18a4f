import DiaryCore
import WireFormats

enum BatchPayload {
    static func write(_ results: [BatchResult], requestID: String, publicURL: String, to w: inout JSONWriter) {
        w.array("results", Array(results.enumerated())) { w, one in
            w.object { w in
                w.member("index", one.offset)
                w.member("status", one.element.status)
                switch one.element {
                case .created(let started):
                    w.member("entry") { EntryPayload.write(started.entry, .summary, to: &$0) }
                    if let upload = started.upload { w.member("upload") { UploadPayload.write(upload, to: &$0) } }
                case .changed(let entry): w.member("entry") { EntryPayload.write(entry, .summary, to: &$0) }
                case .deleted: break
                case .refused(let error): w.member("problem") { Problem.write(error, requestID: requestID, publicURL: publicURL, to: &$0) }
                }
            }
        }
    }
}
