/// The properties of one kind of job, apart from the work itself.
package struct JobDescriptor: Sendable {
    package let kind: JobKind
    package let queue: QueueName
    package let subject: JobSubject
    /// Made ready in the transaction that writes the result.
    package let successor: JobKind?
    package let retries: @Sendable (Limits) -> RetryPolicy

    package init(
        _ kind: JobKind, queue: QueueName, subject: JobSubject, successor: JobKind? = nil,
        retries: @escaping @Sendable (Limits) -> RetryPolicy = { RetryPolicy($0) }
    ) {
        self.kind = kind
        self.queue = queue
        self.subject = subject
        self.successor = successor
        self.retries = retries
    }
}
