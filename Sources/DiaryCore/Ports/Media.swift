/// What ffprobe says of a recording, after the demuxer was forced and limits applied.
package struct MediaFacts: Sendable, Equatable {
    package var durationSeconds: Double
    /// As the probe names it, e.g. `aac`.
    package var codec: String
    package var channels: Int
    package var sampleRate: Int

    package init(durationSeconds: Double, codec: String, channels: Int, sampleRate: Int) {
        self.durationSeconds = durationSeconds
        self.codec = codec
        self.channels = channels
        self.sampleRate = sampleRate
    }
}

/// One recognised word; times in seconds from the recording's start, confidence 0 … 1.
package struct TimedWord: Sendable, Equatable, Codable {
    package var text: String
    package var start: Double
    package var end: Double
    package var confidence: Double

    package init(text: String, start: Double, end: Double, confidence: Double) {
        self.text = text
        self.start = start
        self.end = end
        self.confidence = confidence
    }
}

/// A stretch of speech between pauses.
package struct SpeechSegment: Sendable, Equatable, Codable {
    package var start: Double
    package var end: Double
    package var words: [TimedWord]

    package init(start: Double, end: Double, words: [TimedWord]) {
        self.start = start
        self.end = end
        self.words = words
    }

    package var text: String { words.map(\.text).joined(separator: " ") }
}

/// What a recogniser heard. `segments` are in order of time; an empty list is a recording without speech.
package struct RawTranscript: Sendable, Equatable {
    /// BCP 47, e.g. `en`.
    package var language: String
    package var segments: [SpeechSegment]

    package init(language: String, segments: [SpeechSegment]) {
        self.language = language
        self.segments = segments
    }

    package var text: String { segments.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n") }
}

/// How a provider's failure is to be treated (A10): the job retries, gives up, or waits for an operator.
package struct ProviderFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Treatment: String, Sendable { case retry, permanent, configuration }

    package var treatment: Treatment
    /// From the error catalogue, e.g. `media_unreadable`, `speech_timeout`.
    package var code: ProcessingCode
    /// Seconds the provider asked us to wait.
    package var retryAfter: Double?
    /// For the log: constant words and numbers only, never a diary's.
    package var cause: String

    package init(_ treatment: Treatment, code: ProcessingCode, retryAfter: Double? = nil, cause: String) {
        self.treatment = treatment
        self.code = code
        self.retryAfter = retryAfter
        self.cause = cause
    }

    package var description: String { "\(code.rawValue): \(cause)" }
}

/// Looks at an uploaded recording before anything else touches it.
package protocol MediaProbe: Sendable {
    /// - Parameters:
    ///   - path: a file inside `folder`, which is the job's own (0700) and the only one the child process may see.
    ///   - contentType: the declared media type; it fixes the demuxer.
    func inspect(_ path: String, contentType: String, folder: String) async throws(ProviderFailure) -> MediaFacts
}

/// A recording whose bytes `MediaProbe` has accepted, opened into a job's folder.
package struct VerifiedRecording: Sendable {
    /// A file inside `folder`.
    package var path: String
    /// The job's own (0700), and the only one that a child process may see.
    package var folder: String
    /// The media type that the probe accepted; it fixes the demuxer.
    package var contentType: String
    /// What the probe measured.
    package var durationSeconds: Double

    package init(path: String, folder: String, contentType: String, durationSeconds: Double) {
        self.path = path
        self.folder = folder
        self.contentType = contentType
        self.durationSeconds = durationSeconds
    }
}

/// Turns speech into words. Implemented by the local engine and by the scripted provider of tests.
package protocol SpeechRecognizer: Sendable {
    /// - Parameter language: BCP 47; nil when the user named none.
    func transcribe(_ recording: VerifiedRecording, language: String?) async throws(ProviderFailure) -> RawTranscript
}

/// Makes a transcript pleasant to read without adding or losing meaning.
package protocol TranscriptCleaner: Sendable {
    func clean(_ raw: RawTranscript) async throws(ProviderFailure) -> String
}
