/// What is doubtful about a segment. Stored and shown; later versions may add values.
package enum SpeechMark: String, Sendable, CaseIterable {
    /// The engine wrote the same words many times over; all but the first were cut.
    case repeated
    /// The mean confidence of its words is below 0.5.
    case lowConfidence = "low_confidence"
    /// Words that speech engines are known to write over silence or noise; cut.
    case notSpeech = "not_speech"
}
