import DiaryCore
import WireFormats

enum TranscriptionPayload {
    static func write(_ transcription: Transcription, to w: inout JSONWriter) {
        w.member("state", transcription.state.rawValue)
        w.member("engine", transcription.engine?.name)
        w.member("model", transcription.engine?.model)
    }
}
