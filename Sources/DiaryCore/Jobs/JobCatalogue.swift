/// All job kinds of this version of the service, and the order in which entries pass through those that are stages.
package struct JobCatalogue: Sendable {
    package let descriptors: [JobDescriptor]
    private let byKind: [JobKind: JobDescriptor]

    package init(_ descriptors: [JobDescriptor]) {
        self.descriptors = descriptors
        byKind = Dictionary(descriptors.map { ($0.kind, $0) }) { first, _ in first }
    }

    package var kinds: [JobKind] { descriptors.map(\.kind) }

    /// The kinds that work on an entry. Only the first may be without a predecessor: in the diary's catalogue `verify`, which a completed
    /// upload starts.
    package var stages: [JobKind] { kinds.filter { stage($0) != nil } }

    /// nil for a kind of another version.
    package subscript(kind: JobKind) -> JobDescriptor? { byKind[kind] }

    package func successor(of kind: JobKind) -> JobDescriptor? { byKind[kind]?.successor.flatMap { byKind[$0] } }

    /// nil for a kind that works on no entry.
    package func stage(_ kind: JobKind) -> EntryStage? {
        guard case .entry(let stage)? = byKind[kind]?.subject else { return nil }
        return stage
    }

    /// What an entry shows when its job of `kind` is done: the next stage, or `transcribed` at the end of the pipeline.
    package func entry(after kind: JobKind) -> (status: EntryStatus, stage: JobKind?) {
        guard let next = successor(of: kind)?.kind, let stage = stage(next) else { return (.transcribed, nil) }
        return (stage.waiting, next)
    }

    /// What an entry in this state waits for: its stage, or without one the first that has the status. nil for a stage of another version,
    /// and for an entry that waits for none.
    package func awaited(_ status: EntryStatus, stage named: JobKind?) -> JobKind? {
        let stages = self.stages.filter { stage($0)?.waiting == status || stage($0)?.running == status }
        guard let named else { return stages.first }
        return stages.isEmpty || stage(named) == nil ? nil : named
    }

    /// For each stage that an entry can fail in: its status while it waits for another try.
    package var restarts: [(stage: JobKind, status: EntryStatus)] {
        stages.compactMap { kind in stage(kind).map { (stage: kind, status: $0.waiting) } }
    }

    /// Called at the start of the worker: a catalogue with a fault would lose jobs without an error.
    package func validate() throws(JobCatalogueError) {
        let successors = Set(descriptors.compactMap(\.successor))
        for descriptor in descriptors {
            let kind = descriptor.kind
            if descriptors.count(where: { $0.kind == kind }) > 1 { throw .duplicate(kind) }
            if let successor = descriptor.successor {
                if byKind[successor] == nil { throw .unknownSuccessor(of: kind, successor) }
                if stage(kind) != nil, stage(successor) == nil { throw .unfitSuccessor(of: kind, successor) }
            }
            try findCycle(from: kind)
            if stage(kind) != nil, kind != stages.first, !successors.contains(kind) { throw .unreachable(kind) }
        }
    }

    private func findCycle(from kind: JobKind) throws(JobCatalogueError) {
        var seen: Set<JobKind> = [kind]
        var last = kind
        while let next = byKind[last]?.successor {
            guard seen.insert(next).inserted else { throw .cycle(next) }
            last = next
        }
    }
}

/// A fault in the list of job kinds, found at the start.
package enum JobCatalogueError: Error, Equatable, CustomStringConvertible {
    case duplicate(JobKind)
    case unknownSuccessor(of: JobKind, JobKind)
    /// The successor of a job on an entry works on something else.
    case unfitSuccessor(of: JobKind, JobKind)
    case cycle(JobKind)
    /// A job on an entry that no job precedes, and that is not the first stage.
    case unreachable(JobKind)

    package var description: String {
        switch self {
        case .duplicate(let kind): "job kind \(kind): described twice"
        case .unknownSuccessor(let kind, let successor): "job kind \(kind): its successor \(successor) is not described"
        case .unfitSuccessor(let kind, let successor): "job kind \(kind): its successor \(successor) does not work on an entry"
        case .cycle(let kind): "job kind \(kind): is among its own successors"
        case .unreachable(let kind): "job kind \(kind): is the successor of no job, and is not the first stage"
        }
    }
}

/// The properties of one kind of job, apart from the work itself.
package struct JobDescriptor: Sendable {
    package let kind: JobKind
    package let queue: QueueName
    package let subject: JobSubject
    /// The kind of the job that is inserted in the transaction that writes this job's result; nil: none.
    package var successor: JobKind?
    package var retries: @Sendable (Limits) -> RetryPolicy = { RetryPolicy($0) }
}

/// What a job works on: the row that shows its progress and its failure.
package enum JobSubject: Sendable, Equatable {
    case entry(EntryStage)
    case export
    case mail
    case importing

    /// What a log line and `diary jobs` call it.
    package var name: String {
        switch self {
        case .entry: "entry"
        case .export: "export"
        case .mail: "mail"
        case .importing: "import"
        }
    }
}

/// One stage in the work on an entry.
package struct EntryStage: Sendable, Equatable {
    /// The entry's status between the end of the stage before and the start of this one.
    package var waiting: EntryStatus
    /// The entry's status while the job runs.
    package var running: EntryStatus
}
