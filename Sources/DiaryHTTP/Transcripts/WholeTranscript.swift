import DiaryCore
import WireFormats

extension TranscriptFormat {
    /// The service's own JSON.
    static let whole = TranscriptFormat(
        name: "json", mediaType: "application/json", fileExtension: "json",
        renderer: .everything { transcript in JSONWriter.object { WholeTranscript.write(transcript, to: &$0) } })
}

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
        SpeakersPayload.write(transcript, to: &w)
    }
}
