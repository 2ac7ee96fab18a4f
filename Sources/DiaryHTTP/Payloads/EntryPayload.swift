import DiaryCore
import DiaryCrypto

/// An entry on the wire: every member is there, `null` when it has no value.
enum EntryPayload {
    static func write(_ entry: Entry, to w: inout JSONWriter) {
        let facts = entry.facts
        w.member("id", facts.id)
        w.member("kind", facts.kind.rawValue)
        w.member("status", facts.status.rawValue)
        if let processing = facts.processing {
            w.member("processing") { w in
                w.member("stage", processing.stage.rawValue)
                w.member("attempt", processing.attempt)
                w.member("next_attempt_at", processing.nextAttemptAt)
                w.member("code", processing.code?.rawValue)
                w.member("retryable", processing.retryable)
            }
        } else {
            w.member("processing", String?.none)
        }
        w.member("filename", facts.filename)
        w.member("recorded_at", facts.recordedAt)
        w.member("time_zone", facts.timeZone)
        w.member("local_date", CalendarDay(facts.localTime))
        w.member("created_at", facts.createdAt)
        w.member("updated_at", facts.updatedAt)
        w.member("duration_s", facts.durationSeconds)
        w.member("size_bytes", facts.sizeBytes)
        w.member("content_type", facts.contentType)
        w.member("sha256", facts.sha256.map { Hex.encode($0) })
        w.member("language", facts.language)
        w.member("title", entry.personal.title)
        w.member("transcript_raw", entry.machine.raw)
        w.member("transcript_clean", entry.machine.clean)
        w.member("transcript_edited", entry.personal.edited)
        w.member("text", entry.text)
        w.member("tags", entry.personal.tags)
        w.member("mood", entry.personal.mood)
        w.member("version", entry.version)
        w.member("damaged", entry.isDamaged)
        w.member("deleted_at", facts.deletedAt)
    }

    /// In the feed a deleted entry is a tombstone: what it was is gone.
    static func writeChange(_ entry: Entry, to w: inout JSONWriter) {
        guard entry.facts.deletedAt != nil else { return write(entry, to: &w) }
        w.member("id", entry.facts.id)
        w.member("kind", entry.facts.kind.rawValue)
        w.member("deleted_at", entry.facts.deletedAt)
        w.member("updated_at", entry.facts.updatedAt)
        w.member("version", entry.version)
    }
}

enum UploadPayload {
    static func write(_ target: UploadTarget, to w: inout JSONWriter) {
        w.member("method", "PUT")
        w.member("url", target.url)
        w.member("headers") { w in
            for header in target.headers { w.member(JSONName(header.name), header.value) }
        }
        w.member("expires_at", target.expiresAt)
    }
}

enum TranscriptFormat: String, Sendable, CaseIterable { case json, txt }

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
