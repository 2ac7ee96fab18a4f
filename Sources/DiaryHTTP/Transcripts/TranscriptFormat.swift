import DiaryCore
import WireFormats

/// A form of a transcript for other programs. Each is registered in `all`.
struct TranscriptFormat: Sendable {
    /// What a form needs, and how it is written from that.
    enum Renderer: Sendable {
        /// The text of one layer, which the caller chooses; empty when the entry has none.
        case layer(@Sendable (Transcript, _ text: String) -> String)
        /// What was recognised, with its times; an entry without is refused.
        case segments(@Sendable (Transcript, [SpeechSegment]) -> [UInt8])
    }

    /// In `transcript_formats` of `GET /v1/config`, and in the query.
    let name: String
    let mediaType: String
    let fileExtension: String
    let renderer: Renderer

    /// In the order in which `GET /v1/config` lists them.
    static let all: [TranscriptFormat] = [.plainText, .markdown, .subRip, .webVTT, .meetingRecorder]

    var isTimed: Bool {
        switch renderer {
        case .segments: true
        case .layer: false
        }
    }
}

/// The forms that `DiaryCore` renders, for exports too.
extension TranscriptFormat {
    /// The words alone, as they are stored.
    static let plainText = TranscriptFormat(
        name: "txt", mediaType: "text/plain; charset=utf-8", fileExtension: "txt", renderer: .layer { _, text in text })

    /// Media type of RFC 7763.
    static let markdown = TranscriptFormat(
        name: "md", mediaType: "text/markdown; charset=utf-8", fileExtension: "md",
        renderer: .layer { MarkdownTranscript.text($0, words: $1) })

    /// SubRip has no specification and no registered media type; this one is of the freedesktop.org database.
    static let subRip = TranscriptFormat(
        name: "srt", mediaType: "application/x-subrip; charset=utf-8", fileExtension: "srt",
        renderer: .segments { Array(SubRipTranscript.text(Cue.cues(of: $1, labels: $0.speakerLabels, asWords: true)).utf8) })

    static let webVTT = TranscriptFormat(
        name: "vtt", mediaType: "text/vtt; charset=utf-8", fileExtension: "vtt",
        renderer: .segments { Array(WebVTTTranscript.text(Cue.cues(of: $1, labels: $0.speakerLabels)).utf8) })

    static let meetingRecorder = TranscriptFormat(
        name: "meeting", mediaType: "application/json", fileExtension: "json",
        renderer: .segments { MeetingRecorderTranscript.document($0.entry.facts.id, $1) })
}

/// The service's own JSON.
enum WholeTranscript {
    static func write(_ transcript: Transcript, to w: inout JSONWriter) {
        let entry = transcript.entry
        w.member("entry_id", entry.facts.id)
        w.member("language", entry.facts.language)
        w.member("raw", entry.machine.raw)
        w.member("clean", entry.machine.clean)
        w.member("edited", entry.personal.edited)
        w.member("text", entry.text)
        if let transcription = entry.transcription {
            w.member("transcription") { TranscriptionPayload.write(transcription, to: &$0) }
        }
        w.array("segments", transcript.segments ?? []) { w, segment in w.object { SegmentPayload.write(segment, to: &$0) } }
        w.array("speakers", transcript.speakers) { w, speaker in w.object { SpeakerPayload.write(speaker, of: transcript, to: &$0) } }
    }
}
