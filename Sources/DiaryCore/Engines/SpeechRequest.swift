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
