/// The name of a queue: the kinds of jobs that share a worker's slots. Claims share a queue out between apps and accounts.
package struct QueueName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    /// Decoding a recording to examine it.
    package static let media = QueueName(rawValue: "media")
    /// Recognition, which takes whole processors.
    package static let speech = QueueName(rawValue: "speech")
    /// Work on words.
    package static let text = QueueName(rawValue: "text")
    package static let exports = QueueName(rawValue: "exports")
    package static let imports = QueueName(rawValue: "imports")
    /// Nothing else, so that no recording and no export delays a code to sign in.
    package static let mail = QueueName(rawValue: "mail")
}
