/// The properties of one kind of job, apart from the work itself.
package struct JobDescriptor: Sendable {
    package let kind: JobKind
    package let queue: QueueName
    package let subject: JobSubject
    /// Made ready in the transaction that writes the result.
    package var successor: JobKind?
    package var retries: @Sendable (Limits) -> RetryPolicy = { RetryPolicy($0) }
}
