import DiaryCrypto
import FoundationEssentials
import WireFormats

/// `transcript.json`, version 1.0, of the Meeting Recorder (its design document, "JSON Schemas"; `struct TranscriptSegment` there has no
/// optional member):
///
/// ```json
/// {"version": "1.0", "segments": [{"id": "uuid", "text": "Hello everyone", "timestamp": 0.0, "duration": 1.5, "confidence": 0.95,
///   "speakerID": "speaker-1", "isEdited": false}]}
/// ```
package enum MeetingRecorderTranscript {
    package static func document(_ entry: EntryID, _ segments: [SpeechSegment]) -> [UInt8] {
        JSONWriter.object(capacity: 256 + segments.count * 256) { write(entry, segments, to: &$0) }
    }

    static func write(_ entry: EntryID, _ segments: [SpeechSegment], to w: inout JSONWriter) {
        let speakers = MeetingSpeakers(segments)
        w.member("version", "1.0")
        w.array("segments", segments.filter { !$0.shownText.isEmpty }) { w, segment in
            w.object { w in
                w.member("id", id(of: (segment.id ?? 1) - 1, in: entry)?.lowercaseText)
                w.member("text", segment.shownText)
                w.member("timestamp", seconds(segment.start))
                w.member("duration", seconds(segment.end - segment.start))
                w.member("confidence", segment.meanConfidence ?? 0)
                w.member("speakerID", speakers.id(of: segment.shownSpeaker))
                w.member("isEdited", segment.isEdited)
            }
        }
    }

    /// - Parameter place: of the segment, from 0: its id less one.
    /// - Returns: the same for the same place in the same entry: UUID version 8 (RFC 9562, appendix B.2) of SHA-256 over the entry's id and the place.
    static func id(of place: Int, in entry: EntryID) -> UUID? {
        let number = UInt64(clamping: place)
        let name = entry.uuid.octets + stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
        let octets = SHA256.digest(name).prefix(16).enumerated().map { index, octet in
            switch index {
            case 6: 0x80 | octet & 0x0F
            case 8: 0x80 | octet & 0x3F
            default: octet
            }
        }
        return UUID(octets: octets)
    }

    /// Not negative, in whole milliseconds.
    private static func seconds(_ value: Double) -> Double { value.isFinite ? max(0, (value * 1_000).rounded() / 1_000) : 0 }
}

/// The Meeting Recorder's ids of speakers: `speaker-1`, `speaker-2` … in the order in which they first speak. Segments without a speaker share
/// one of these.
struct MeetingSpeakers {
    /// nil: not told apart.
    private(set) var labels: [String?] = []
    private var numbers: [String?: Int] = [:]

    /// - Parameter segments: those without words count for nothing.
    init(_ segments: [SpeechSegment]) {
        for segment in segments where !segment.shownText.isEmpty && numbers[segment.shownSpeaker] == nil {
            labels.append(segment.shownSpeaker)
            numbers[segment.shownSpeaker] = labels.count
        }
    }

    func id(of label: String?) -> String { "speaker-\(numbers[label] ?? 1)" }
}

/// `metadata.json` of the Meeting Recorder (its design document, "JSON Schemas"):
///
/// ```json
/// {"id": "uuid", "title": "Team Standup", "date": "2025-11-16T10:00:00Z", "duration": 1800.0, "fileSize": 15728640, "tags": ["standup"],
///   "speakers": [{"id": "speaker-1", "displayName": "John Doe"}], "notes": [], "lastModified": "2025-11-16T10:30:00Z"}
/// ```
///
/// No member is optional there, so an entry without a title has its date for one, and one without a recording no length and no bytes;
/// `timestamp` of a note is optional: `{"id": "uuid", "text": "Review it", "timestamp": 450.0, "createdAt": "2025-11-16T10:07:30Z"}`.
package enum MeetingRecorderMetadata {
    package static func document(_ exported: ExportedEntry) -> [UInt8] {
        let (entry, transcript) = (exported.entry, exported.transcript)
        let (facts, names) = (entry.facts, transcript.corrections.speakers)
        let speakers = MeetingSpeakers(transcript.segments ?? [])
        return JSONWriter.object { w in
            w.member("id", facts.id.description)
            w.member("title", title(of: transcript))
            w.member("date", time(facts.recordedAt))
            w.member("duration", facts.durationSeconds.flatMap { $0.isFinite ? $0 : nil } ?? 0)
            w.member("fileSize", exported.recording?.sizeBytes ?? 0)
            if facts.isOnDevice { w.member("audio", "device") }
            w.member("tags", entry.personal.tags)
            w.array("speakers", speakers.labels) { w, speaker in
                let label = copy speaker
                let id = speakers.id(of: label)
                w.object { w in
                    w.member("id", id)
                    w.member("displayName", label.flatMap { names[$0] } ?? label ?? id)
                }
            }
            w.array("notes", entry.personal.orderedNotes) { w, note in
                w.object { w in
                    w.member("id", note.id.description)
                    w.member("text", note.text)
                    w.memberIfPresent("timestamp", note.at)
                    w.member("createdAt", time(note.createdAt))
                }
            }
            if !entry.personal.metadata.isEmpty { w.member("metadata", entry.personal.metadata) }
            w.member("lastModified", time(facts.updatedAt))
        }
    }

    private static func title(of transcript: Transcript) -> String {
        let facts = transcript.entry.facts
        if let title = transcript.entry.personal.title, !title.isEmpty { return title }
        return ReadableDates(locale: transcript.locale, language: transcript.language).text(facts.recordedAt, in: facts.timeZone)
    }

    /// Whole seconds: Foundation's `.iso8601` strategy, with which Swift apps read it, refuses a fraction.
    private static func time(_ date: Date) -> String { "\(RFC3339.text(date).prefix(19))Z" }
}
