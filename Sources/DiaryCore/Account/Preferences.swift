package import FoundationEssentials

/// A member's settings of their diary.
package struct Preferences: Sendable, Equatable {
    /// Minutes after midnight, 0 … 719: entries before this time of their own clock belong to the day before (decision D17).
    package var dayEndsMinute: Int = 0
    /// Language tags for recordings whose client named none; empty means any.
    package var languages: [String] = []
    /// Since when recordings and texts may go to engines outside the machine, where the app asks; nil: they may not.
    package var hostedProcessingConsentAt: Date? = nil
    /// After how many days recordings are removed, unless the app's days are fewer; nil: as the app says.
    package var recordingsRetentionDays: Int? = nil
    /// Engines of the app's chains that are asked before the others.
    package var engines: EngineChoice = EngineChoice()

    package init(
        dayEndsMinute: Int = 0, languages: [String] = [], hostedProcessingConsentAt: Date? = nil, recordingsRetentionDays: Int? = nil,
        engines: EngineChoice = EngineChoice()
    ) {
        self.dayEndsMinute = dayEndsMinute
        self.languages = languages
        self.hostedProcessingConsentAt = hostedProcessingConsentAt
        self.recordingsRetentionDays = recordingsRetentionDays
        self.engines = engines
    }
}
