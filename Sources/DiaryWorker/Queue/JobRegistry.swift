package import DiaryCore

/// The jobs of this process by kind.
struct JobRegistry: Sendable {
    struct Entry: Sendable {
        let job: any Job
        let retries: RetryPolicy
    }

    private let entries: [JobKind: Entry]
    private let catalogue: JobCatalogue

    /// - Throws: when the catalogue has a fault, or a kind has no job, a job no kind, or a queue no workers: such jobs would never run.
    init(_ jobs: [any Job], catalogue: JobCatalogue, configuration: WorkerConfiguration) throws(JobRegistrationError) {
        do throws(JobCatalogueError) { try catalogue.validate() } catch { throw .catalogue(error) }
        var entries: [JobKind: Entry] = [:]
        for job in jobs {
            guard let descriptor = catalogue[job.kind] else { throw .notDescribed(job.kind) }
            let entry = Entry(job: job, retries: descriptor.retries(configuration.limits))
            guard entries.updateValue(entry, forKey: job.kind) == nil else { throw .registeredTwice(job.kind) }
        }
        for descriptor in catalogue.descriptors {
            if entries[descriptor.kind] == nil { throw .notRegistered(descriptor.kind) }
            if configuration.slots[descriptor.queue] == nil { throw .noWorkers(descriptor.queue, for: descriptor.kind) }
        }
        self.entries = entries
        self.catalogue = catalogue
    }

    subscript(kind: JobKind) -> Entry? { entries[kind] }

    func kinds(of queue: QueueName) -> [JobKind] { catalogue.descriptors.filter { $0.queue == queue }.map(\.kind) }
}

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
