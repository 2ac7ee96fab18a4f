import DiaryCore
import WireFormats

/// The fields of `POST /audio/transcriptions`, in the order of the `openai` Python SDK.
enum TranscriptionForm {
    /// Whisper reads the last 224 tokens of a prompt.
    static let promptLength = 800

    /// - Parameters:
    ///   - language: BCP 47; nil when the model is to find out.
    ///   - speakers: at most `knownSpeakers(model)`.
    static func parts(
        model: String, file: FormPart, language: String?, vocabulary: [String], speakers: [KnownSpeaker] = []
    ) -> [FormPart] {
        let format = TranscriptionFormat(model: model)
        var parts: [FormPart] = [.field("model", model)]
        // Required for recordings of more than 30 seconds.
        if format == .diarizedJSON { parts.append(.field("chunking_strategy", "auto")) }
        if hasLogprobs(model) { parts.append(.field("include[]", "logprobs")) }
        parts += speakers.map { FormPart.field("known_speaker_names[]", $0.name) }
        parts += speakers.map {
            FormPart.field("known_speaker_references[]", "data:\($0.contentType);base64,\(Base64.encode($0.sample))")
        }
        if let language { parts.append(.field("language", WhisperLanguages.code(language))) }
        if format != .diarizedJSON, let prompt = prompt(vocabulary) { parts.append(.field("prompt", prompt)) }
        parts.append(.field("response_format", format.rawValue))
        if format == .verboseJSON {
            parts += [.field("timestamp_granularities[]", "segment"), .field("timestamp_granularities[]", "word")]
        }
        return parts + [file]
    }

    /// How many voices the description allows with models that tell speakers apart.
    static func knownSpeakers(_ model: String) -> Int { TranscriptionFormat(model: model) == .diarizedJSON ? 4 : 0 }

    /// Those that the description names for `include`.
    private static func hasLogprobs(_ model: String) -> Bool {
        TranscriptionFormat(model: model) == .json && model.lowercased().contains("gpt-4o")
    }

    /// Whole terms, separated by commas; nil without any.
    static func prompt(_ vocabulary: [String]) -> String? {
        var prompt = ""
        for term in vocabulary {
            let term = term.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
                .joined(separator: " ")
            let longer = prompt.isEmpty ? term : "\(prompt), \(term)"
            // A long term is left out; a shorter one behind it may fit.
            if !term.isEmpty, longer.count <= promptLength { prompt = longer }
        }
        return prompt.isEmpty ? nil : prompt
    }

    /// - Returns: nil for what OpenAI's servers do not take as it is.
    static func file(_ path: String, contentType: String) -> FormPart? {
        known(contentType).map { .file("file", path: path, fileName: $0.name, contentType: $0.type) }
    }

    /// Whether OpenAI's servers take a recording of this kind as it is.
    static func takes(_ contentType: String) -> Bool { known(contentType) != nil }

    /// Name and media type that the SDK gives to a file of this kind. The recording's own name is not known here and says nothing.
    /// - Returns: nil for raw AAC, CAF, and AMR, alone or in 3GP.
    private static func known(_ contentType: String) -> (name: String, type: String)? {
        switch AudioFormat(contentType: contentType) {
        case .threeGPP, .threeGPPVideo, .quickTime, .quickTimeAudio: nil
        case let type?:
            switch type.container {
            case .mp4: ("recording.m4a", "audio/mp4")
            case .mp3: ("recording.mp3", "audio/mpeg")
            case .wav: ("recording.wav", "audio/x-wav")
            case .ogg: ("recording.ogg", "audio/ogg")
            case .webm: ("recording.webm", "video/webm")
            case .flac: ("recording.flac", "audio/flac")
            case .adts, .caf, .amr: nil
            }
        case nil: nil
        }
    }
}

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
