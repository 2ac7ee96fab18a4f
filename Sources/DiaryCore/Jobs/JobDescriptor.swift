/// The properties of one kind of job, apart from the work itself.
package struct JobDescriptor: Sendable {
    package let kind: JobKind
    package let queue: QueueName
    package let subject: JobSubject
    /// The kind of the job that is inserted in the transaction that writes this job's result; nil: none.
    package var successor: JobKind?
    package var retries: @Sendable (Limits) -> RetryPolicy = { RetryPolicy($0) }
}
