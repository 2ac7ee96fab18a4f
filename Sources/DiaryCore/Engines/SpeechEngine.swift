/// Turns speech into words.
package protocol SpeechEngine: Sendable {
    var languages: SpeechLanguages { get }
    /// How many of `SpeechRequest.speakers` it takes.
    var mostKnownSpeakers: Int { get }
    /// What it is given parts of recordings in.
    var partFormat: SpeechPartFormat { get }
    /// Whether it sends a recording of this media type as it is. Another is sent as 16 kHz mono wav, whose size counts against
    /// `EngineSettings.maxBytes`.
    func sendsAsItIs(_ contentType: String) -> Bool
    /// Seconds of the recording that a call would ask for: without the parts that earlier tries have kept (`SpeechRequest.parts`).
    func secondsToHear(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> Double
    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer
}

extension SpeechEngine {
    package var mostKnownSpeakers: Int { 0 }
    package var partFormat: SpeechPartFormat { .opus }
    package func sendsAsItIs(_ contentType: String) -> Bool { true }
    package func secondsToHear(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> Double {
        recording.durationSeconds
    }
}

/// How a part of a recording is written for an engine: both are 16 kHz mono.
package enum SpeechPartFormat: Sendable {
    /// In Ogg, small: for what is sent over a network.
    case opus
    case wav
}

/// What is asked of a speech engine, beside the recording.
package struct SpeechRequest: Sendable, Equatable {
    /// BCP 47, one of the engine's `languages`; nil when the engine is to find out.
    package var language: String? = nil
    /// Languages of the account's profile, BCP 47; a detected language that is none of them is doubtful.
    package var userLanguages: [String] = []
    /// The languages that it may be, BCP 47: the one named for the recording, else the profile's and the locale's; empty means any.
    package var offered: [String] = []
    /// Names and places that the account expects to be spoken.
    package var vocabulary: [String] = []
    /// Voices that it may hear, at most `mostKnownSpeakers` of the engine. Other speakers get labels of the engine's own.
    package var speakers: [KnownSpeaker] = []
    /// Tries of the job that failed before: an engine may give up sooner than the job.
    package var failedTries: Int = 0
    /// Where parts of a long recording are kept; nil keeps none.
    package var parts: SpeechPartAccess? = nil
    /// Between the parts; nil for a call that neither asks nor reports.
    package var steps: CallSteps? = nil

    package init(
        language: String? = nil, userLanguages: [String] = [], offered: [String] = [], vocabulary: [String] = [],
        speakers: [KnownSpeaker] = [], failedTries: Int = 0, parts: SpeechPartAccess? = nil, steps: CallSteps? = nil
    ) {
        self.language = language
        self.userLanguages = userLanguages
        self.offered = offered
        self.vocabulary = vocabulary
        self.speakers = speakers
        self.failedTries = failedTries
        self.parts = parts
        self.steps = steps
    }
}

/// What a speech engine recognised, and what the call used.
package struct SpeechAnswer: Sendable, Equatable {
    package var transcript: RawTranscript
    /// As the engine's answer names it; nil when it does not.
    package var model: String?
    package var use: EngineUse
    /// False when there was nothing to ask: no word fits into the recording, or all its parts were heard before.
    package var isFromEngine = true

    package init(_ transcript: RawTranscript, model: String? = nil, use: EngineUse) {
        self.transcript = transcript
        self.model = model
        self.use = use
    }
}

/// A speaker whose voice an engine is given, to name that speaker in what it hears.
package struct KnownSpeaker: Sendable, Equatable {
    /// What the engine is to call the speaker: a short identifier in ASCII, unlike the labels that engines give by themselves.
    package var name: String
    /// A whole file in which this speaker alone is heard, for 2 to 10 seconds.
    package var sample: [UInt8]
    package var contentType: String

    package init(name: String, sample: [UInt8], contentType: String) {
        self.name = name
        self.sample = sample
        self.contentType = contentType
    }
}
