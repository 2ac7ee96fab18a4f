import DiaryCore
import WireFormats

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
