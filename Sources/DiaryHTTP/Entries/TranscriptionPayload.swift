import DiaryCore
import WireFormats

enum TranscriptionPayload {
    static func write(_ transcription: Transcription, to w: inout JSONWriter) {
        w.member("state", transcription.state.rawValue)
        w.member("engine", transcription.engine?.name)
        w.member("model", transcription.engine?.model)
        w.member("coverage", transcription.coverage?.share)
        w.member("gaps", transcription.coverage?.gaps.map(Gap.init) ?? [])
    }

    private struct Gap: JSONWritable {
        let span: VoiceSpan

        func write(to w: inout JSONWriter) {
            w.object {
                $0.member("start", span.start)
                $0.member("end", span.end)
            }
        }
    }
}
