import DiaryCore
import WireFormats

enum SpeakersPayload {
    /// The speakers of a recording in the order in which they first speak.
    static func write(_ transcript: Transcript, to w: inout JSONWriter) {
        w.array("speakers", transcript.speakers) { w, speaker in
            w.object { w in
                w.member("id", speaker)
                w.member("name", transcript.corrections.speakers[speaker])
            }
        }
    }
}
