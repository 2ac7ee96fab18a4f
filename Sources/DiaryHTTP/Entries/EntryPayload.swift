import DiaryCore
import WireFormats

/// An entry on the wire: every member is present, `null` when it has no value. `processing` alone is left out: as a nullable object it would be
/// a union in the contract, which client generators drop or refuse.
enum EntryPayload {
    static func write(_ entry: Entry, to w: inout JSONWriter) {
        w.member("id", entry.facts.id)
        w.member("kind", entry.facts.kind.rawValue)
        w.member("status", entry.facts.status.rawValue)
        if let processing = entry.facts.processing {
            w.member("processing") { w in
                w.member("stage", processing.stage.rawValue)
                w.member("attempt", processing.attempt)
                w.member("next_attempt_at", processing.nextAttemptAt)
                w.member("code", processing.code?.rawValue)
                w.member("retryable", processing.retryable)
            }
        }
        w.member("filename", entry.facts.filename)
        w.member("recorded_at", entry.facts.recordedAt)
        w.member("time_zone", entry.facts.timeZone)
        w.member("local_date", entry.facts.day)
        w.member("created_at", entry.facts.createdAt)
        w.member("updated_at", entry.facts.updatedAt)
        w.member("duration_s", entry.facts.durationSeconds)
        w.member("size_bytes", entry.facts.sizeBytes)
        w.member("content_type", entry.facts.contentType)
        w.member("sha256", entry.facts.sha256.map { Hex.encode($0) })
        w.member("language", entry.facts.language)
        w.member("title", entry.personal.title)
        let raw = w.member("transcript_raw", entry.machine.raw)
        let clean = w.member("transcript_clean", entry.machine.clean)
        let edited = w.member("transcript_edited", entry.personal.edited)
        switch entry.shown {
        case .edited: w.member("text", again: edited)
        case .clean: w.member("text", again: clean)
        case .raw: w.member("text", again: raw)
        }
        w.member("tags", entry.personal.tags)
        w.member("mood", entry.personal.mood)
        w.member("version", entry.version)
        w.member("damaged", entry.isDamaged)
    }
}
