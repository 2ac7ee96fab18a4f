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
        w.member("version", "1.0")
        w.array("segments", segments.filter { !$0.shownText.isEmpty }) { w, segment in
            w.object { w in
                w.member("id", id(of: (segment.id ?? 1) - 1, in: entry)?.lowercaseText)
                w.member("text", segment.shownText)
                w.member("timestamp", seconds(segment.start))
                w.member("duration", seconds(segment.end - segment.start))
                w.member("confidence", segment.meanConfidence ?? 0)
                w.member("speakerID", speaker(of: segment))
                w.member("isEdited", segment.isEdited)
            }
        }
    }

    /// One where speakers are not told apart.
    static func speaker(of segment: SpeechSegment) -> String { segment.shownSpeaker ?? "speaker-1" }

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
