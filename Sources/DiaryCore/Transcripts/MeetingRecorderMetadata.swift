import FoundationEssentials
import WireFormats

/// `metadata.json` of the Meeting Recorder (its design document, "JSON Schemas"):
///
/// ```json
/// {"id": "uuid", "title": "Team Standup", "date": "2025-11-16T10:00:00Z", "duration": 1800.0, "fileSize": 15728640, "tags": ["standup"],
///   "speakers": [{"id": "speaker-1", "displayName": "John Doe"}], "notes": [], "lastModified": "2025-11-16T10:30:00Z"}
/// ```
///
/// No member is optional there, so an entry without a title has its date for one, and one without a recording no length and no bytes. A diary
/// has no notes within a recording.
package enum MeetingRecorderMetadata {
    package static func document(_ exported: ExportedEntry) -> [UInt8] {
        let (entry, transcript) = (exported.entry, exported.transcript)
        let facts = entry.facts
        return JSONWriter.object { w in
            w.member("id", facts.id.description)
            w.member("title", title(of: transcript))
            w.member("date", time(facts.recordedAt))
            w.member("duration", facts.durationSeconds.flatMap { $0.isFinite ? $0 : nil } ?? 0)
            w.member("fileSize", exported.recording?.sizeBytes ?? 0)
            w.member("tags", entry.personal.tags)
            w.array("speakers", speakers(of: transcript)) { w, speaker in
                w.object { w in
                    w.member("id", speaker)
                    w.member("displayName", transcript.corrections.speakers[speaker] ?? speaker)
                }
            }
            w.member("notes", [String]())
            w.member("lastModified", time(facts.updatedAt))
        }
    }

    /// Speakers that `transcript.json` names.
    private static func speakers(of transcript: Transcript) -> [String] {
        var seen = Set<String>()
        return (transcript.segments ?? []).map(MeetingRecorderTranscript.speaker).filter { seen.insert($0).inserted }
    }

    private static func title(of transcript: Transcript) -> String {
        let facts = transcript.entry.facts
        if let title = transcript.entry.personal.title, !title.isEmpty { return title }
        return ReadableDates(locale: transcript.locale).text(facts.recordedAt, in: facts.timeZone)
    }

    /// Whole seconds: Foundation's `.iso8601` strategy, with which Swift apps read it, refuses a fraction.
    private static func time(_ date: Date) -> String { "\(RFC3339.text(date).prefix(19))Z" }
}
