package import FoundationEssentials

/// The state of the processing of a recording.
package struct Processing: Sendable, Equatable {
    package var stage: JobKind
    package var attempt: Int
    package var nextAttemptAt: Date?
    package var code: ProcessingCode?
    package var retryable: Bool
    package var action: ProcessingAction = .wait
    /// nil in lists and in the feed.
    package var place: QueuePlace? = nil

    package init(
        stage: JobKind, attempt: Int, nextAttemptAt: Date?, code: ProcessingCode?, retryable: Bool, action: ProcessingAction = .wait,
        place: QueuePlace? = nil
    ) {
        self.stage = stage
        self.attempt = attempt
        self.nextAttemptAt = nextAttemptAt
        self.code = code
        self.retryable = retryable
        self.action = action
        self.place = place
    }
}
