/// What a member decides about their diary.
package struct Preferences: Sendable, Equatable {
    /// 0 … 719: what is said before then still belongs to the day before.
    package var dayEndsMinute: Int
    /// Language tags to listen for; empty is any.
    package var languages: [String]
    /// Whether recordings may be used to make recognition better.
    package var trainingConsent: Bool

    package init(dayEndsMinute: Int = 0, languages: [String] = [], trainingConsent: Bool = false) {
        self.dayEndsMinute = dayEndsMinute
        self.languages = languages
        self.trainingConsent = trainingConsent
    }
}
