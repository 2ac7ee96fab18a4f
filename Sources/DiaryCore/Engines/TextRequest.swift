/// What is asked of a text engine, beside the words.
package struct TextRequest: Sendable, Equatable {
    /// What an app may have besides the clean text.
    package enum Extra: String, Sendable, CaseIterable { case title, summary, keyPoints = "key_points", suggestions }

    package var extras: Set<Extra> = []
    /// The app's instructions in place of the service's.
    package var prompt: String? = nil
    /// Between the pieces of a long text; nil for a call that neither asks nor reports.
    package var steps: CallSteps? = nil

    package init(extras: Set<Extra> = [], prompt: String? = nil, steps: CallSteps? = nil) {
        self.extras = extras
        self.prompt = prompt
        self.steps = steps
    }
}
