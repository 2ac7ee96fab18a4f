/// A member's settings of their diary. Stored; none has an effect yet.
package struct Preferences: Sendable, Equatable {
    /// Minutes after midnight, 0 … 719: recordings before this time belong to the day before.
    package var dayEndsMinute: Int
    /// Language tags for recognition; empty means any.
    package var languages: [String]
    /// Whether recordings may be used to improve recognition.
    package var trainingConsent: Bool

    package init(dayEndsMinute: Int = 0, languages: [String] = [], trainingConsent: Bool = false) {
        self.dayEndsMinute = dayEndsMinute
        self.languages = languages
        self.trainingConsent = trainingConsent
    }
}
