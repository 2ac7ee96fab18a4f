import DiaryCore

/// A form in which a transcript is answered: one operation, one renderer. Each form is registered in `all`.
struct TranscriptFormat: Sendable {
    /// What a form needs, and how it is written from that.
    enum Renderer: Sendable {
        /// All that is known, whatever is there.
        case everything(@Sendable (Transcript) -> [UInt8])
        /// The text of one layer, which the caller chooses; empty when the entry has none.
        case layer(@Sendable (Transcript, _ text: String) -> String)
        /// What was recognised, with its times; an entry without is refused.
        case segments(@Sendable (Transcript, [SpeechSegment]) -> [UInt8])
    }

    /// In `transcript_formats` of `GET /v1/config`, and after `transcript.` in the path.
    let name: String
    let mediaType: String
    let fileExtension: String
    let renderer: Renderer

    /// In the order in which `GET /v1/config` lists them.
    static let all: [TranscriptFormat] = [.whole, .plainText, .markdown, .subRip, .webVTT, .meetingRecorder]

    var template: String {
        switch renderer {
        case .everything: "/v1/entries/{id}/transcript"
        case .layer, .segments: "/v1/entries/{id}/transcript.\(name)"
        }
    }

    var isTimed: Bool {
        switch renderer {
        case .everything, .segments: true
        case .layer: false
        }
    }
}
