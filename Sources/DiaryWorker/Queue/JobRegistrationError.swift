package import DiaryCore

/// Why the worker does not start.
package enum JobRegistrationError: Error, Equatable, CustomStringConvertible {
    case catalogue(JobCatalogueError)
    case notRegistered(JobKind)
    case notDescribed(JobKind)
    case registeredTwice(JobKind)
    case noWorkers(QueueName, for: JobKind)

    package var description: String {
        switch self {
        case .catalogue(let error): error.description
        case .notRegistered(let kind): "job kind \(kind): no job is registered for it"
        case .notDescribed(let kind): "job kind \(kind): a job is registered for it, but it is not in the catalogue"
        case .registeredTwice(let kind): "job kind \(kind): two jobs are registered for it"
        case .noWorkers(let queue, let kind): "job kind \(kind): its queue \(queue) has no workers"
        }
    }
}
