import DiaryCore
import FoundationEssentials
import WireFormats

/// `manifest.json`: every member of the zip, and every stored field of every entry (docs/export-manifest.schema.json). Written entry by entry,
/// so that its size costs no memory. Members without a value are left out.
enum ExportManifest {
    static let path = "manifest.json"
    static let formatVersion = 3

    /// Up to the first entry.
    /// - Parameter speakers: of the account. Deleted ones are left out, and all of them where the export is of chosen entries.
    static func head(_ context: ExportContext, speakers: [SpeakerProfile] = []) -> [UInt8] {
        let export = context.export
        let head = JSONWriter.object { w in
            w.member("format", "diary-export")
            w.member("format_version", formatVersion)
            w.member("schema", context.schema)
            w.member("created_at", RFC3339.exactText(context.now))
            w.member("range") { w in
                w.memberIfPresent("from", export.firstDay?.description)
                w.memberIfPresent("to", export.lastDay?.description)
            }
            write(export.selection, to: &w)
            w.member("time_zone", export.timeZone)
            w.memberIfPresent("locale", context.locale)
            if !context.tags.isEmpty {
                w.array("tags", context.tags) { w, tag in
                    w.object { w in
                        w.member("name", tag.name)
                        w.member("color", tag.color.text)
                    }
                }
            }
            let speakers = context.isOfDays ? speakers.filter { $0.deletedAt == nil && $0.name != nil } : []
            if !speakers.isEmpty {
                w.array("speakers", speakers.sorted { $0.id.description < $1.id.description }) { w, speaker in
                    w.object { w in
                        w.member("id", speaker.id.description)
                        w.memberIfPresent("name", speaker.name)
                    }
                }
            }
            w.member("contents") { w in
                w.member("include_audio", export.contents.includeAudio)
                w.member("formats", ExportFormat.allCases.filter(export.contents.formats.contains).map(\.rawValue))
                w.member("layer", export.contents.layer.rawValue)
            }
        }
        return head.dropLast() + Array(",\"entries\":[".utf8)
    }

    /// An entry: `ExportManifest.entry`.
    static func line(_ entry: [UInt8], isFirst: Bool) -> [UInt8] { Array((isFirst ? "\n" : ",\n").utf8) + entry }

    /// What else was asked than days.
    private static func write(_ selection: ExportSelection, to w: inout JSONWriter) {
        guard !selection.tags.isEmpty || selection.kind != nil || !selection.entries.isEmpty || selection.changedAfter != nil
        else { return }
        w.member("selection") { w in
            if !selection.tags.isEmpty { w.member("tags", selection.tags) }
            w.memberIfPresent("kind", selection.kind?.rawValue)
            if !selection.entries.isEmpty { w.member("entry_ids", selection.entries.map(\.description)) }
            w.memberIfPresent("changed_after", selection.changedAfter)
        }
    }

    /// What is known when all entries are written.
    /// - Parameter deleted: nil when the export is no continuation of an earlier one.
    static func tail(
        count: Int, part: ExportPartNumber, files: [ExportFileFacts], snapshot: ExportSnapshot?, deleted: [DeletedEntry]?
    ) -> [UInt8] {
        let tail = JSONWriter.object { w in
            w.member("entry_count", count)
            w.memberIfPresent("changes_upto", snapshot?.changesUpto)
            if let deleted {
                w.array("deleted", deleted) { w, entry in
                    w.object { w in
                        w.member("id", entry.id.description)
                        w.member("deleted_at", RFC3339.exactText(entry.deletedAt))
                    }
                }
                w.memberIfPresent("deleted_complete", snapshot?.knowsDeletions)
            }
            w.member("part") { w in
                w.member("number", part.number)
                w.memberIfPresent("count", part.count)
            }
            w.array("files", files) { w, file in w.object { write(file, to: &$0) } }
        }
        return Array("\n],".utf8) + tail.dropFirst() + Array("\n".utf8)
    }

    static func write(_ file: borrowing ExportFileFacts, to w: inout JSONWriter) {
        w.member("path", file.path)
        w.member("role", file.role.rawValue)
        w.member("size", file.size)
        w.member("sha256", file.sha256)
        w.memberIfPresent("source", file.source?.rawValue)
        w.memberIfPresent("layer", file.layer?.rawValue)
    }
}
