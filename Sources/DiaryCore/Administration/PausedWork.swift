package import FoundationEssentials

/// A queue of which workers take no new jobs.
package struct PausedWork: Sendable, Equatable {
    package var queue: QueueName
    /// The app's; nil of all.
    package var slug: String?
    package var at: Date
    package var `operator`: String

    package init(queue: QueueName, slug: String?, at: Date, operator: String) {
        self.queue = queue
        self.slug = slug
        self.at = at
        self.operator = `operator`
    }
}
