import DiaryCore
import WireFormats

enum ImportPayload {
    static func write(_ found: Import, to w: inout JSONWriter) {
        w.member("id", found.id)
        w.member("status", found.status.rawValue)
        w.member("code", found.code?.rawValue)
        w.member("source", found.source?.rawValue)
        w.member("size_bytes", found.sizeBytes)
        w.member("created_at", found.createdAt)
        w.member("upload_expires_at", found.status == .awaitingUpload ? found.uploadExpiresAt : nil)
        w.member("finished_at", found.finishedAt)
        w.member("progress") { w in
            w.member("percent", found.percent)
            w.member("entries", found.done)
            w.member("entries_total", found.total)
        }
        w.member("counts") { w in
            w.member("created", found.counts.created)
            w.member("unchanged", found.counts.unchanged)
            w.member("skipped", found.counts.skipped)
            w.member("failed", found.counts.failed)
        }
    }

    static func write(_ item: ImportItem, to w: inout JSONWriter) {
        w.member("number", item.number)
        w.member("outcome", item.outcome.rawValue)
        w.member("code", item.code.rawValue)
        w.member("entry_id", item.entry)
        w.member("count", item.count)
        w.member("name", item.name)
    }
}
