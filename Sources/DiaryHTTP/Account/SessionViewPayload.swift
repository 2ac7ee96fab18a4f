import DiaryCore
import WireFormats

enum SessionViewPayload {
    static func write(_ session: SessionView, to w: inout JSONWriter) {
        w.member("id", session.id)
        w.member("device", session.device)
        w.member("place", session.place)
        w.member("created_at", session.createdAt)
        w.member("last_used_at", session.lastUsedAt)
        w.member("current", session.isCurrent)
    }
}
