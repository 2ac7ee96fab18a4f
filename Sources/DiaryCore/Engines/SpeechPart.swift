/// A part of a recording that an engine has heard. Stored sealed, as JSON.
package struct SpeechPart: Sendable, Equatable, Codable {
    /// From 0.
    package var index: Int
    /// Where the recording was cut: seconds from its start, in whole milliseconds.
    package var start: Double
    package var end: Double
    /// Where the next part begins, before `end` when they overlap; nil for the last part.
    package var next: Double?
    /// The language that was asked for; nil when the engine was to find out.
    package var asked: String?
    /// The language that was heard.
    package var language: String
    /// The model that the engine's answer names.
    package var model: String?
    /// Times in seconds from the recording's start.
    package var segments: [SpeechSegment]
    /// Where the part has voice, likewise; nil when that was not measured.
    package var voice: [VoiceSpan]? = nil

    package init(
        index: Int, start: Double, end: Double, next: Double?, asked: String?, language: String, model: String?, segments: [SpeechSegment],
        voice: [VoiceSpan]? = nil
    ) {
        self.index = index
        self.start = start
        self.end = end
        self.next = next
        self.asked = asked
        self.language = language
        self.model = model
        self.segments = segments
        self.voice = voice
    }
}

extension Vault.Part {
    /// Row = the entry's id, version = the part's number from 1.
    package static let speechPart = Vault.Part(name: "part", table: "speech_parts")
}
