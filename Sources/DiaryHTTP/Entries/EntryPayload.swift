import DiaryCore
import WireFormats

/// An entry on the wire: every member is present, `null` when it has no value, except some that are left out: `processing`, `failed_run`, `transcription`, `cleanup` and `suggestions`, which as
/// nullable objects would be unions in the contract, which client generators drop or refuse, and `upload_expires_at`, those of `MachineText`,
/// `key_points`, `notes`, `audio_removed_at`, `audio`, `damaged` and the times of the trash, which most entries never have. In a summary the long texts are `null`,
/// and `excerpt` has the beginning of the shown one.
enum EntryPayload {
    static func write(_ entry: Entry, _ view: EntryView = .full, to w: inout JSONWriter) {
        w.member("id", entry.facts.id)
        w.member("kind", entry.facts.kind.rawValue)
        w.member("status", entry.facts.status.rawValue)
        if let failed = entry.facts.failedRun {
            w.member("failed_run") { w in
                w.member("stage", failed.stage.rawValue)
                w.member("code", failed.code?.rawValue)
                w.member("action", failed.action.rawValue)
            }
        } else if let processing = entry.facts.processing {
            w.member("processing") { w in
                w.member("stage", processing.stage.rawValue)
                w.member("attempt", processing.attempt)
                w.member("next_attempt_at", processing.nextAttemptAt)
                w.member("code", processing.code?.rawValue)
                w.member("action", processing.action.rawValue)
                w.member("queue_position", processing.place?.position)
                w.member("estimated_wait_s", processing.place?.waitSeconds)
                w.member("percent", processing.place?.percent)
            }
        }
        if let end = entry.facts.uploadExpiresAt { w.member("upload_expires_at", end) }
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
        let isFull = view == .full
        let raw = w.member("transcript_raw", isFull ? entry.machine.raw : nil)
        let clean = w.member("transcript_clean", isFull ? entry.machine.clean : nil)
        let edited = w.member("transcript_edited", isFull ? entry.personal.edited : nil)
        switch entry.shown {
        case .edited: w.member("text", again: edited)
        case .corrected: w.member("text", isFull ? entry.text : nil)
        case .clean: w.member("text", again: clean)
        case .raw: w.member("text", again: raw)
        }
        if isFull, let transcription = entry.transcription {
            w.member("transcription") { TranscriptionPayload.write(transcription, to: &$0) }
        }
        if isFull, let cleanup = entry.machine.cleanup {
            w.member("cleanup") { w in
                w.member("state", cleanup.state.rawValue)
                w.member("score", cleanup.score)
                w.member("reason", cleanup.reason?.rawValue)
            }
        }
        if isFull { writeExtras(of: entry, to: &w) } else { w.member("excerpt", entry.excerpt) }
        for text in MachineText.all { w.memberIfPresent(text.member, entry.machine[text]) }
        w.member("tags", entry.personal.tags)
        for text in PersonalText.remarks { w.member(text.member, entry.personal[text]) }
        if isFull, !entry.personal.notes.isEmpty {
            w.array("notes", entry.personal.orderedNotes) { w, note in w.object { NotePayload.write(note, to: &$0) } }
        }
        w.member("metadata", entry.personal.metadata)
        w.member("favorite", entry.facts.favorite)
        w.member("keep_audio", entry.facts.keepAudio)
        if let removedAt = entry.facts.audioRemovedAt { w.member("audio_removed_at", removedAt) }
        if entry.facts.isOnDevice { w.member("audio", AudioPlace.device.rawValue) }
        if let end = entry.facts.trashEndsAt {
            w.member("deleted_at", entry.facts.deletedAt)
            w.member("trash_ends_at", end)
        }
        w.member("version", entry.version)
        if entry.isDamaged { w.member("damaged", true) }
    }

    /// What the app has a language model make besides the cleaned text.
    private static func writeExtras(of entry: Entry, to w: inout JSONWriter) {
        let suggestions = entry.suggestions
        if !suggestions.isEmpty {
            w.member("suggestions") { w in
                w.member("title", suggestions.title)
                w.member("tags", suggestions.tags)
                w.member("mood", suggestions.mood)
            }
        }
        if !entry.machine.keyPoints.isEmpty { w.member("key_points", entry.machine.keyPoints) }
    }
}

enum NotePayload {
    static func write(_ note: EntryNote, to w: inout JSONWriter) {
        w.member("id", note.id)
        w.member("text", note.text)
        w.member("at_s", note.at)
        w.member("created_at", note.createdAt)
    }
}

enum TranscriptionPayload {
    static func write(_ transcription: Transcription, to w: inout JSONWriter) {
        w.member("state", transcription.state.rawValue)
        w.member("engine", transcription.engine?.name)
        w.member("model", transcription.engine?.model)
        w.member("coverage", transcription.coverage?.share)
        w.array("gaps", transcription.coverage?.gaps ?? []) { w, gap in
            w.object {
                $0.member("start", gap.start)
                $0.member("end", gap.end)
            }
        }
    }
}

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
