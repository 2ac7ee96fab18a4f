/// The `response_format` that is asked of a model, by its name: OpenAI's newer models answer in one format only.
enum TranscriptionFormat: String, Sendable {
    /// Segments and words with times. Whisper, and what servers of their own offer.
    case verboseJSON = "verbose_json"
    /// Segments with times and speakers.
    case diarizedJSON = "diarized_json"
    /// The text alone.
    case json

    /// - Parameter model: as the server knows it, e.g. `whisper-1`, `openai/gpt-4o-transcribe`.
    init(model: String) {
        let name = model.lowercased()
        if name.contains("diarize") {
            self = .diarizedJSON
        } else if name.contains("gpt-"), name.contains("transcribe") {
            self = .json
        } else {
            self = .verboseJSON
        }
    }
}
