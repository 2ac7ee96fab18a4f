import DiaryCore
import WireFormats

enum ExportPayload {
    static func write(_ export: Export, to w: inout JSONWriter) {
        w.member("id", export.id)
        w.member("from", export.from)
        w.member("to", export.to)
        w.member("include_audio", export.contents.includeAudio)
        w.member("formats", export.contents.formats.map(\.rawValue).sorted())
        w.member("layer", export.contents.layer.rawValue)
        // Those that cannot be read are not shown as none.
        if export.sealedTags == nil { w.member("tags", export.selection.tags) } else { w.member("tags", String?.none) }
        w.member("kind", export.selection.kind?.rawValue)
        w.member("entry_id", export.selection.entry)
        w.member("since_export", export.since)
        w.member("status", export.status.rawValue)
        w.member("code", export.code?.rawValue)
        w.member("mail_status", export.mailStatus.rawValue)
        w.member("size_bytes", export.sizeBytes)
        w.member("entry_count", export.entryCount)
        w.member("created_at", export.createdAt)
        w.member("ready_at", export.readyAt)
        w.member("expires_at", export.expiresAt)
        w.member("downloads", export.downloads)
        w.member("max_downloads", export.maxDownloads)
        w.member("revoked_at", export.revokedAt)
    }

    static func write(_ estimate: ExportEstimate, to w: inout JSONWriter) {
        w.member("entries", estimate.entries)
        w.member("exact", estimate.isExact)
        w.member("recordings", estimate.recordings)
        w.member("bytes", estimate.bytes)
        w.member("parts", estimate.parts)
    }
}
