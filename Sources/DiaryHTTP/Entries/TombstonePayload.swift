import DiaryCore
import WireFormats

/// A deleted entry in the feed, without content.
enum TombstonePayload {
    static func write(_ entry: Entry, to w: inout JSONWriter) {
        w.member("id", entry.facts.id)
        w.member("kind", entry.facts.kind.rawValue)
        w.member("deleted_at", entry.facts.deletedAt)
        w.member("updated_at", entry.facts.updatedAt)
        if let end = entry.facts.trashEndsAt { w.member("trash_ends_at", end) }
        w.member("version", entry.version)
    }
}
