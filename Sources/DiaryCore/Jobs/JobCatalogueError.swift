/// A fault in the list of job kinds, found at the start.
package enum JobCatalogueError: Error, Equatable, CustomStringConvertible {
    case duplicate(JobKind)
    case unknownSuccessor(of: JobKind, JobKind)
    /// The successor of a job on an entry works on something else.
    case unfitSuccessor(of: JobKind, JobKind)
    case unknownRestart(of: JobKind, JobKind)
    case cycle(JobKind)
    /// A job on an entry that no job precedes, and that is not the first stage.
    case unreachable(JobKind)

    package var description: String {
        switch self {
        case .duplicate(let kind): "job kind \(kind): described twice"
        case .unknownSuccessor(let kind, let successor): "job kind \(kind): its successor \(successor) is not described"
        case .unfitSuccessor(let kind, let successor): "job kind \(kind): its successor \(successor) does not work on an entry"
        case .unknownRestart(let kind, let restart): "job kind \(kind): a retry restarts at \(restart), which does not work on an entry"
        case .cycle(let kind): "job kind \(kind): is among its own successors"
        case .unreachable(let kind): "job kind \(kind): is the successor of no job, and is not the first stage"
        }
    }
}
