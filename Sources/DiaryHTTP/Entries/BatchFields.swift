import DiaryCore
import WireFormats

/// The operations of a batch. Those whose members are not acceptable become refused ones, so that the others are done.
enum BatchFields {
    /// Bytes of body: a hundred texts of about ten thousand characters, and what the shipped proxy files let pass.
    static let bytes: Int64 = 1_048_576

    private enum Kind: String, CaseIterable {
        case create, tag, delete
        case deleteAudio = "delete_audio"
    }

    static func operations(_ f: inout Fields) -> [BatchOperation] {
        f.required("operations", []) { f -> [BatchOperation]? in
            guard let value = f.value("operations") else { return nil }
            guard case .array(let elements) = value, (1...BatchOperation.most).contains(elements.count) else {
                f.refuse("operations", "must be an array of 1 to \(BatchOperation.most) operations")
                return nil
            }
            return elements.enumerated().map { index, element in
                var own = Fields(element, at: f.pointer("operations") + "/\(index)")
                let operation = read(&own)
                do throws(DiaryError) { try own.finish() } catch { return .refused(error) }
                return operation ?? .refused(DiaryError(.invalidFields))
            }
        }
    }

    /// nil when a member was refused, and then `finish` throws.
    private static func read(_ f: inout Fields) -> BatchOperation? {
        let kind = f.required("op", nil) { f in f.choice("op", of: Kind.self).map { Optional($0) } }
        let unused: [String]
        switch kind {
        case .create: unused = ["id", "add_tags", "remove_tags"]
        case .tag: unused = ["entry"]
        case .delete, .deleteAudio: unused = ["entry", "add_tags", "remove_tags"]
        case nil: unused = []
        }
        for name in ["id", "entry", "add_tags", "remove_tags"] {
            if f.value(name) != nil, unused.contains(name) { f.refuse(name, "does not belong to this operation") }
        }
        guard let kind else { return nil }
        if kind == .create {
            let draft = f.nested("entry") { EntryFields.draft(&$0, idempotencyKey: nil) }
            if draft == nil { f.refuse("entry", "is required") }
            return draft.map { .create($0) }
        }
        let id: EntryID? = f.required("id", nil) { f in f.id("id").map { Optional($0) } }
        let add = f.keptTags("add_tags") ?? []
        let remove = f.keptTags("remove_tags") ?? []
        guard let id else { return nil }
        return switch kind {
        case .delete: .delete(id)
        case .deleteAudio: .deleteAudio(id)
        default: .tag(id, add: add, remove: remove)
        }
    }
}

enum BatchPayload {
    static func write(_ results: [BatchResult], requestID: String, publicURL: String, to w: inout JSONWriter) {
        w.array("results", Array(results.enumerated())) { w, one in
            w.object { w in
                w.member("index", one.offset)
                w.member("status", one.element.status)
                switch one.element {
                case .created(let started):
                    w.member("entry") { EntryPayload.write(started.entry, .summary, to: &$0) }
                    if let upload = started.upload { w.member("upload") { SignedURLPayload.write(upload, to: &$0) } }
                case .changed(let entry): w.member("entry") { EntryPayload.write(entry, .summary, to: &$0) }
                case .deleted: break
                case .refused(let error): w.member("problem") { Problem.write(error, requestID: requestID, publicURL: publicURL, to: &$0) }
                }
            }
        }
    }
}
