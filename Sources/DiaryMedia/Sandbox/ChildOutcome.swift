/// How a child process ended, with the conventions of the sandbox's wrappers removed.
struct ChildOutcome: Sendable {
    enum Ending: Sendable, Equatable {
        case exited(Int)
        /// Ended by this signal, also when the shell or bubblewrap reported it as 128 + signal.
        case signaled(Int)
    }

    var ending: Ending
    var standardOutput: [UInt8]

    var isSuccess: Bool { ending == .exited(0) }
}

/// Why there is no outcome.
enum ChildFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The wrappers failed before the program, such as for want of a sandbox.
    case notStarted
    /// There is no process: the machine is out of memory or processes, or the folder is missing.
    case notSpawned
    /// The program is not installed.
    case programMissing
    case timedOut
    case outputTooLarge
    case cancelled

    var description: String {
        switch self {
        case .notStarted: "the child process did not start"
        case .notSpawned: "no child process could be made"
        case .programMissing: "the program is not installed"
        case .timedOut: "the child process ran out of time"
        case .outputTooLarge: "the child process wrote too much"
        case .cancelled: "the child process was cancelled"
        }
    }
}
