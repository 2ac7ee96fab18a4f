import DiaryCore
import WireFormats

/// A deleted entry in the feed, without content.
enum TombstonePayload {
    static func write(_ entry: Entry, to w: inout JSONWriter) {
        w.member("id", entry.facts.id)
        w.member("kind", entry.facts.kind.rawValue)
        w.member("deleted_at", entry.facts.deletedAt)
        w.member("updated_at", entry.facts.updatedAt)
        w.member("version", entry.version)
    }
}
