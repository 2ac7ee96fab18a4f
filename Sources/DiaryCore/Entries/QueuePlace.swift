/// The progress of an entry in its queue, estimated when the entry was read.
package struct QueuePlace: Sendable, Equatable {
    /// Among the account's own recordings that wait for the same stage; 1 is next. nil unless it waits for its turn.
    package var position: Int? = nil
    /// Until the stage begins; nil when that is not known.
    package var waitSeconds: Double? = nil
    /// Share of the work that is done, from 0 to 100; nil unless the stage runs and reports it.
    package var percent: Int? = nil

    package init(position: Int? = nil, waitSeconds: Double? = nil, percent: Int? = nil) {
        self.position = position
        self.waitSeconds = waitSeconds
        self.percent = percent
    }
}
