import DiaryCore
import WireFormats

enum DeletionPayload {
    static func write(_ deletion: Deletion, to w: inout JSONWriter) {
        w.member("status", deletion.erasedAt == nil ? "erasing" : "erased")
        w.member("requested_at", deletion.requestedAt)
        w.member("key_destroyed_at", deletion.keyDestroyedAt)
        w.member("erased_at", deletion.erasedAt)
        w.member("swept_at", deletion.sweptAt)
        w.member("counts") { w in
            w.member("entries", deletion.counts.entries)
            w.member("objects", deletion.counts.objects)
            w.member("exports", deletion.counts.exports)
            w.member("mails", deletion.counts.mails)
            w.member("sessions", deletion.counts.sessions)
            w.member("keys", deletion.counts.keys)
        }
    }
}
