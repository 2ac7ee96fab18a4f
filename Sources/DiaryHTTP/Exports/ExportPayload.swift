import DiaryCore
import WireFormats

enum ExportPayload {
    static func write(_ export: Export, to w: inout JSONWriter) {
        w.member("id", export.id)
        w.member("from", export.firstDay)
        w.member("to", export.lastDay)
        w.member("include_audio", export.contents.includeAudio)
        w.member("formats", export.contents.formats.map(\.rawValue).sorted())
        w.member("layer", export.contents.layer.rawValue)
        // Those that cannot be read are not shown as none.
        if export.sealedTags == nil { w.member("tags", export.selection.tags) } else { w.member("tags", String?.none) }
        w.member("kind", export.selection.kind?.rawValue)
        w.member("entry_ids", export.selection.entries.map(\.description))
        w.member("since_export", export.since)
        w.member("schedule_id", export.schedule)
        w.member("due_at", export.period)
        w.member("status", export.status.rawValue)
        w.member("code", export.code?.rawValue)
        w.member("mail_status", export.mailStatus.rawValue)
        w.member("size_bytes", export.sizeBytes)
        w.member("entry_count", export.entryCount)
        w.member("created_at", export.createdAt)
        w.member("ready_at", export.readyAt)
        w.member("expires_at", export.expiresAt)
        w.member("downloads", export.downloads)
        w.member("link_downloads_max", export.maxDownloads)
        w.member("revoked_at", export.revokedAt)
        w.member("revoked_reason", export.revokedReason?.rawValue)
        w.array("parts", export.parts) { w, part in
            let part = copy part
            w.object { w in
                w.member("number", part.number)
                w.member("size_bytes", part.sizeBytes)
                w.member("entry_count", part.entryCount)
                w.member("filename", export.filename(of: part.number))
                w.member("downloads", part.downloads)
            }
        }
        if export.status == .building, let progress = export.progress { w.member("progress") { write(progress, to: &$0) } }
    }

    private static func write(_ progress: ExportProgress, to w: inout JSONWriter) {
        w.member("percent", progress.percent)
        w.member("entries", progress.entries)
        w.member("entries_total", progress.entriesTotal)
        w.member("bytes", progress.bytes)
        w.member("bytes_total", progress.bytesTotal)
        w.member("estimated_seconds", progress.estimatedSeconds)
    }

    static func write(_ estimate: ExportEstimate, to w: inout JSONWriter) {
        w.member("entries", estimate.entries)
        w.member("recordings", estimate.recordings)
        w.member("bytes", estimate.bytes)
        w.member("parts", estimate.parts)
    }
}
