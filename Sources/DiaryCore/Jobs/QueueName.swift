/// The name of a queue: the kinds of jobs that share a worker's slots.
package struct QueueName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    /// Recognition takes whole processors and has slots of its own, so that it never delays a mail.
    package static let speech = QueueName(rawValue: "speech")
    package static let general = QueueName(rawValue: "general")
}
