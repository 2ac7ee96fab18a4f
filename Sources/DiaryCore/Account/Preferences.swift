/// A member's settings of their diary.
package struct Preferences: Sendable, Equatable {
    /// Minutes after midnight, 0 … 719: entries before this time of their own clock belong to the day before (decision D17).
    package var dayEndsMinute: Int
    /// Language tags for recordings whose client named none; empty means any.
    package var languages: [String]
    /// Whether recordings may be used to improve recognition. Stored; has no effect yet.
    package var trainingConsent: Bool

    package init(dayEndsMinute: Int = 0, languages: [String] = [], trainingConsent: Bool = false) {
        self.dayEndsMinute = dayEndsMinute
        self.languages = languages
        self.trainingConsent = trainingConsent
    }
}
